import { textsIn } from "./texts-in.ts";

/** The address of a picture: a file in the site's art folder, or, when it begins with a slash, a path of its own. */
export const artPath = (file: string) => (file.startsWith("/") ? file : `/art/${file}`);

export const artFileName = /^[\w-]+\.(svg|png|jpg|webp)$/;
const imagePath = /\/(?:art|pictures)\/[\w./-]+/g;

/** The paths of all images that a page's data names, in fields of their own or within HTML. */
export const imagesIn = (data: unknown): Set<string> =>
  new Set(
    textsIn(data).flatMap((text) =>
      artFileName.test(text) ? [artPath(text)] : (text.match(imagePath) ?? []),
    ),
  );
