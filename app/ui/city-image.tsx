import { artPath } from "../lib/site/art.ts";
import type { Image } from "../lib/site/site-fields.server.ts";

type Props = {
  image: Image;
  className?: string;
  /** "first" is seen at once and loads before all else; "later" only when it comes near. */
  load?: "first" | "later";
};

/** A picture of the city, with its place kept while it loads. */
export function CityImage({ image: picture, className, load }: Props) {
  return (
    <img
      src={artPath(picture.file)}
      alt={picture.alt}
      width={picture.width}
      height={picture.height}
      className={className}
      {...(load === "first" ? { fetchPriority: "high" } : {})}
      {...(load === "later" ? { loading: "lazy" } : {})}
    />
  );
}
