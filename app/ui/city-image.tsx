import { artPath } from "../lib/site/art.ts";
import type { Image } from "../lib/site/site-fields.server.ts";

type Props = {
  image: Image;
  className?: string;
  /** "first" loads with high priority, "later" only when the reader scrolls near the image. */
  load?: "first" | "later";
};

/** An image of the site. Its width and height are set, so that nothing moves while it loads. */
export function CityImage({ image, className, load }: Props) {
  return (
    <img
      src={artPath(image.file)}
      alt={image.alt}
      width={image.width}
      height={image.height}
      className={className}
      {...(load === "first" ? { fetchPriority: "high" } : {})}
      {...(load === "later" ? { loading: "lazy" } : {})}
    />
  );
}
