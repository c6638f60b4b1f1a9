import { artPath, isImageAvailable } from "../lib/site/art.ts";
import { findPhotoSources, sizesByPlace } from "../lib/site/photos.ts";
import type { Image } from "../lib/site/site-fields.server.ts";

type Props = {
  image: Image;
  className?: string;
  /** "first" loads with high priority, "later" only when the reader scrolls near the image. */
  load?: "first" | "later";
  /** How wide the image is: see lib/site/photos. */
  sizes?: keyof typeof sizesByPlace;
};

/**
 * An image of the site. Its width and height are set, so that nothing moves while it loads. For a
 * photo, the browser chooses the format and the width that it needs. `className` is that of the
 * `<img>`, because base.css gives `<picture>` no box. An image that was removed leaves no space.
 */
export function CityImage({ image, className, load, sizes }: Props) {
  if (!isImageAvailable(image)) return null;
  const sources = findPhotoSources(image.file);
  const place = sizesByPlace[sizes ?? (load === "later" ? "card" : "story")];
  // Browsers that load the image later know its width by then, and use it instead.
  const sizesToChoose = load === "later" ? `auto, ${place}` : place;
  const img = (
    <img
      {...(load === "first" ? { fetchPriority: "high" } : {})}
      {...(load === "later" ? { loading: "lazy" } : {})}
      {...(sources ? { srcSet: sources.srcSet, sizes: sizesToChoose } : {})}
      src={sources ? sources.src : artPath(image.file)}
      alt={image.alt}
      width={image.width}
      height={image.height}
      className={className}
    />
  );
  if (!sources) return img;
  return (
    <picture>
      {sources.modern.map(({ type, srcSet }) => (
        <source key={type} type={type} srcSet={srcSet} sizes={sizesToChoose} />
      ))}
      {img}
    </picture>
  );
}
