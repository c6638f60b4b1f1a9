import { artPath, isImageAvailable } from "../lib/images/art.ts";
import {
  describeSizes,
  type FocusPoint,
  findPhotoSources,
  type ImagePlace,
} from "../lib/images/photos.ts";
import type { Image } from "../site-files/site-fields.server.ts";
import { useBrokenImage } from "./hooks/use-broken-image.ts";

type Props = {
  image: Image;
  className?: string;
  /** "first" loads with high priority, "later" only when the reader scrolls near the image. */
  load?: "first" | "later";
  /** How wide the image is: see lib/images/photos. */
  sizes: ImagePlace;
};

const positions: Record<FocusPoint, string> = {
  top: "object-top",
  bottom: "object-bottom",
  left: "object-left",
  right: "object-right",
  center: "object-center",
};

/**
 * An image of the site. Its width and height are set, so that nothing moves while it loads. For a
 * photo, the browser chooses the format and the width that it needs. `className` is that of the
 * `<img>`, because base.css gives `<picture>` no box. An image that was removed, or that cannot be
 * loaded, leaves no space.
 */
export function CityImage({ image, className = "", load, sizes }: Props) {
  const sources = findPhotoSources(image.file);
  const src = sources ? sources.src : artPath(image.file);
  const { isBroken, handlers } = useBrokenImage(src);
  if (isBroken || !isImageAvailable(image)) return null;
  const place = describeSizes(sizes, image);
  // Browsers that load the image later know its width by then, and use it instead.
  const sizesToChoose = load === "later" ? `auto, ${place}` : place;
  const img = (
    <img
      {...handlers}
      {...(load === "first" ? { fetchPriority: "high" } : {})}
      {...(load === "later" ? { loading: "lazy" } : {})}
      {...(sources ? { srcSet: sources.srcSet, sizes: sizesToChoose } : {})}
      src={src}
      alt={image.alt}
      width={image.width}
      height={image.height}
      className={image.focus ? `${className} ${positions[image.focus]}` : className}
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
