import { findStrings } from "../text/find-strings.ts";

/**
 * The address of an image: a file in the site's art folder, or, when it begins with a slash, a path
 * of its own.
 */
export const artPath = (file: string) => (file.startsWith("/") ? file : `/art/${file}`);

export const artFileName = /^[\w-]+\.(svg|png|jpe?g|webp)$/i;

/** Tells images apart: the path of one without its version. */
export const toImageKey = (file: string) => artPath(file).replace(/\?.*$/, "");

const imagePath = /\/(?:art|pictures)\/[\w./-]+/g;

/** The paths of all images that a page's data names, in fields of their own or within HTML. */
export const findImagePaths = (data: unknown): Set<string> =>
  new Set(
    findStrings(data).flatMap((text) =>
      artFileName.test(text) ? [artPath(text)] : (text.match(imagePath) ?? []),
    ),
  );
