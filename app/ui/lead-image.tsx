import type { Photo } from "../lib/site/site-fields.server.ts";
import { CityImage } from "./city-image.tsx";

/** The main image of a story or a post, with its caption and credit. */
export function LeadImage({ image, className }: { image: Photo; className?: string }) {
  const { file, caption, credit } = image;
  const isDrawing = /\.svg(?:\?|$)/.test(file);
  return (
    <figure className={className}>
      <CityImage
        image={image}
        load="first"
        className={`rounded-sm ${isDrawing ? "w-full" : "photo"}`}
      />
      {(caption ?? credit) !== null && (
        <figcaption className="mt-2 max-w-2xl text-ink-soft text-sm">
          {caption} {credit !== null && <span className="italic">{credit}</span>}
        </figcaption>
      )}
    </figure>
  );
}
