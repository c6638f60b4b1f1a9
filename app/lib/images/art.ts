import { findStrings } from "../text/find-strings.ts";

/** Returns the path of an image, which is a file in the city's art folder or already a path. */
export const artPath = (file: string) => (file.startsWith("/") ? file : `/art/${file}`);

/** The file of an image that was removed or is damaged. Pages are shown without it. */
export const noImageFile = "";

export const isImageAvailable = ({ file }: { file: string }) => file !== noImageFile;

/** Returns null if there is no image, or if readers cannot get it. */
export const findAvailable = <T extends { file: string }>(image: T | undefined): T | null =>
  image && isImageAvailable(image) ? image : null;

export const artFileName = /^[\w-]+\.(svg|png|jpe?g|webp|avif)$/i;

/** Returns an image's path without its version. All variants of a photo have the same key. */
export const toImageKey = (file: string) =>
  artPath(file)
    .replace(/\?.*$/, "")
    .replace(/(\.\w+)\/\d+\.\w+$/, "$1");

const imagePath = /\/(?:art|photos|pictures)\/[\w./-]+/g;

/** Returns the keys of all images in a page's data, in separate fields or within HTML. */
export const findImagePaths = (data: unknown): Set<string> =>
  new Set(
    findStrings(data).flatMap((text) =>
      (artFileName.test(text) ? [text] : (text.match(imagePath) ?? [])).map(toImageKey),
    ),
  );

/** Returns a function that returns each image once, and null if it is one of `shownPaths`. */
export const createImagePicker =
  (shownPaths: Set<string>) =>
  <T extends { file: string }>(image: T | null): T | null => {
    if (!image || !isImageAvailable(image)) return null;
    const key = toImageKey(image.file);
    if (shownPaths.has(key)) return null;
    shownPaths.add(key);
    return image;
  };
