/**
 * Photos of the newsroom are served at several widths and in several formats. The path of each
 * variant is derived from the path of the largest one, so pages need no other data.
 */
export const variantFormats = ["avif", "webp", "jpg", "png"] as const;
export type VariantFormat = (typeof variantFormats)[number];

/** The widths in pixels. A photo is never enlarged. */
const smallerWidths = [480, 960];
export const maxPhotoWidth = 1_600;
/** A tall photo is narrower, because no screen shows more of it. */
export const maxPhotoHeight = 2_000;

/**
 * Lists the widths in which a photo is served, if the largest has this many pixels. A width that is
 * nearly as large as the largest would only take up space.
 */
export const listWidths = (largest: number): number[] => [
  ...smallerWidths.filter((width) => width * 1.2 < largest),
  largest,
];

/** The path of the largest variant, such as /photos/news/pier.jpg/1600.jpg?v=5f0a2b. */
const largestVariant =
  /^(?<photo>\/(?:art|photos\/[\w-]+)\/[\w-]+\.\w+)\/(?<width>\d+)\.(?<format>jpg|png|webp)(?<version>\?v=[\w-]+)?$/;

/** Which part of an image stays visible where the image is cropped. */
export const focusPoints = ["top", "bottom", "left", "right", "center"] as const;
export type FocusPoint = (typeof focusPoints)[number];

/** Returns what a browser needs to choose a variant, or null if the image has no variants. */
export function findPhotoSources(file: string) {
  const groups = largestVariant.exec(file)?.groups;
  if (!groups) return null;
  const { photo, width, format, version = "" } = groups;
  const widths = listWidths(Number(width));
  const variantPath = (each: number | undefined, extension: string | undefined) =>
    `${photo}/${each}.${extension}${version}`;
  const srcSet = (extension: string | undefined) =>
    widths.map((each) => `${variantPath(each, extension)} ${each}w`).join(", ");
  return {
    /** For browsers that do not choose a width themselves. */
    src: variantPath(widths.findLast((each) => each <= 960) ?? widths[0], format),
    srcSet: srcSet(format),
    /** Formats with smaller files, the smallest first, for browsers that support them. */
    modern: ["avif", "webp"]
      .filter((extension) => extension !== format)
      .map((extension) => ({ type: `image/${extension}`, srcSet: srcSet(extension) })),
  };
}

/**
 * How wide images are on the page. "card" is a card in a grid, "lead" the first of our stories,
 * "story" the column of a text, and "page" the whole width of the window.
 */
const sizesByPlace = {
  card: "(min-width: 68rem) 26rem, (min-width: 44rem) 50vw, 100vw",
  lead: "(min-width: 64rem) 38rem, 100vw",
  story: "(min-width: 52rem) 50rem, 100vw",
  page: "100vw",
};
export type ImagePlace = keyof typeof sizesByPlace;

/** A wider image is cropped at its sides, except where it fills the window. */
const widestRatio = 16 / 9;

/**
 * Returns the value of the attribute `sizes`. A cropped image shows only a part, which is as wide
 * as its place, so the whole image has to be wider.
 */
export function describeSizes(place: ImagePlace, image?: { width: number; height: number }) {
  const ratio = image && place !== "page" ? image.width / image.height : 0;
  const scale = Math.round((ratio / widestRatio) * 100) / 100;
  if (!(scale > 1)) return sizesByPlace[place];
  return sizesByPlace[place].replaceAll(/\d+(?:rem|vw)(?=,|$)/g, `calc(${scale} * $&)`);
}

/** An image that the server has found in a text: see server/site/site-media. */
const imageInText =
  /<img (width="\d+" height="\d+") src="([^"]{1,400})"((?: [a-z]+="[^"]{0,4000}")*)>/g;

/** Gives the photos in a text their variants. They are added late, so that pages stay small. */
export const addPhotoSources = (html: string): string =>
  html.replaceAll(imageInText, (tag, size: string, file: string, others: string) => {
    const sources = findPhotoSources(file);
    if (!sources) return tag;
    const sizes = `sizes="auto, ${describeSizes("story")}"`;
    const modern = sources.modern.map(
      ({ type, srcSet }) => `<source type="${type}" srcset="${srcSet}" ${sizes}>`,
    );
    const img = `<img loading="lazy" ${size} srcset="${sources.srcSet}" ${sizes} src="${sources.src}"${others}>`;
    return `<picture>${modern.join("")}${img}</picture>`;
  });

/**
 * A credit that already says what it is, such as "Photo by Ada Byrd" or "Courtesy of the Pratt".
 */
const startsWithKind =
  /^(?:©|\(c\)|(?:(?:photo|photograph|image|illustration|drawing|graphic|map|credit|source)s?|photography|artwork|courtesy|by)\b)/i;

/** The credit as readers see it: "Ada Byrd" becomes "Photo: Ada Byrd". */
export function describeCredit({ file, credit }: { file: string; credit: string | null }) {
  if (!credit || startsWithKind.test(credit)) return credit || null;
  return `${isDrawing(file) ? "Illustration" : "Photo"}: ${credit}`;
}

/** Whether a file name or a URL is that of a drawing. */
export const isDrawing = (file: string) => /\.svg(?:\?|$)/i.test(file);

/** The caption and the credit in one line of text. */
export function describePhoto(photo: {
  file: string;
  caption: string | null;
  credit: string | null;
}): string {
  const { caption } = photo;
  const credit = describeCredit(photo);
  if (!caption || !credit) return caption || credit || "";
  return `${withPeriod(caption)} ${credit}`;
}

/** A caption before a credit ends like a sentence, so that the two do not run together. */
export const withPeriod = (caption: string) =>
  /[.!?…]["”’)]?$/.test(caption) ? caption : `${caption}.`;

/** Returns the path of an image for a place that can have only one, such as a video's poster. */
export const toSinglePath = (file: string) =>
  file.replace(/^(\/(?:art|photos\/[\w-]+)\/[\w-]+\.\w+\/\d+)\.jpg(?=\?|$)/, "$1.webp");
