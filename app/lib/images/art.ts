import { findStrings } from "../text/find-strings.ts";

/** `file` is the name of a file in the city's art folder or, if it begins with a slash, a path. */
export const artPath = (file: string) => (file.startsWith("/") ? file : `/art/${file}`);

/**
 * Stands for an image that readers cannot get, because the newsroom has removed it or it is
 * damaged. Pages are shown without the image.
 */
export const noImageFile = "";

export const isImageAvailable = ({ file }: { file: string }) => file !== noImageFile;

/** Returns null if there is no image, or if readers cannot get it. */
export const findAvailable = <T extends { file: string }>(image: T | undefined): T | null =>
  image && isImageAvailable(image) ? image : null;

export const artFileName = /^[\w-]+\.(svg|png|jpe?g|webp|avif)$/i;

/** Returns the path without the version in its query. All variants of a photo have the same key. */
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

/**
 * Returns a function that returns an image, or null if the page already shows it: in one of
 * `shownPaths`, or because the function has returned it before.
 */
export const createImagePicker =
  (shownPaths: Set<string>) =>
  <T extends { file: string }>(image: T | null): T | null => {
    if (!image || !isImageAvailable(image)) return null;
    const key = toImageKey(image.file);
    if (shownPaths.has(key)) return null;
    shownPaths.add(key);
    return image;
  };
