import { isImageAvailable } from "../lib/images/art.ts";
import { describeCredit, isDrawing, withPeriod } from "../lib/images/photos.ts";
import type { Image, Photo } from "../site-files/site-fields.server.ts";
import { CityImage } from "./city-image.tsx";

export function LeadImage({ image }: { image: Photo }) {
  if (!isImageAvailable(image)) return null;
  const { caption } = image;
  const credit = describeCredit(image);
  return (
    <figure className={`mt-8 ${isTall(image) ? "max-w-2xl text-center" : ""}`}>
      <CityImage image={image} load="first" sizes="story" className={describeShape(image)} />
      {(caption ?? credit) !== null && (
        <figcaption className="mt-2 max-w-2xl text-ink-soft text-sm">
          {caption && credit ? withPeriod(caption) : caption}{" "}
          {credit !== null && <span className="italic">{credit}</span>}
        </figcaption>
      )}
    </figure>
  );
}

const isTall = ({ width, height }: Image) => width < height;

/**
 * The class of an image on its own page. A very wide image would be a thin strip on a phone, so its
 * sides are cut off. A tall image leaves room for the beginning of the text. Drawings have no size
 * of their own.
 */
export function describeShape(image: Image): string {
  const ratio = image.width / image.height;
  const size = isDrawing(image.file) && ratio >= 4 / 3 ? "w-full" : "";
  return `photo ${ratio > 16 / 9 ? "photo-wide" : ""} ${isTall(image) ? "photo-tall" : ""} ${size}`;
}
