import { findPhotoSources, isDrawing, sizesByPlace } from "./photos.ts";

/** An image that the server has found in a text: see server/site/site-media. */
const imageInText =
  /<img (width="\d+" height="\d+") src="([^"]{1,400})"((?: [a-z]+="[^"]{0,4000}")*)>/g;

/** Gives the photos in a text their variants. They are added late, so that pages stay small. */
export const addPhotoSources = (html: string): string =>
  html.replaceAll(imageInText, (tag, size: string, file: string, others: string) => {
    const sources = findPhotoSources(file);
    if (!sources) return tag;
    const sizes = `sizes="auto, ${sizesByPlace.story}"`;
    const modern = sources.modern.map(
      ({ type, srcSet }) => `<source type="${type}" srcset="${srcSet}" ${sizes}>`,
    );
    const img = `<img loading="lazy" ${size} srcset="${sources.srcSet}" ${sizes} src="${sources.src}"${others}>`;
    return `<picture>${modern.join("")}${img}</picture>`;
  });

/** A credit that already says what it is, such as "Photo by Ada Byrd" or "Courtesy of the Pratt". */
const startsWithKind =
  /^(?:©|\(c\)|(?:(?:photo|photograph|image|illustration|drawing|graphic|map|credit|source)s?|photography|artwork|courtesy|by)\b)/i;

/** The credit as readers see it: "Ada Byrd" becomes "Photo: Ada Byrd". */
export function describeCredit({ file, credit }: { file: string; credit: string | null }) {
  if (!credit || startsWithKind.test(credit)) return credit || null;
  return `${isDrawing(file) ? "Illustration" : "Photo"}: ${credit}`;
}

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
