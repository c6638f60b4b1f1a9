import { artFileName } from "../lib/images/art.ts";
import { toSlug } from "../lib/text/slug.ts";

export const heicAdvice =
  "is a HEIC photo, which browsers cannot show: export it as JPEG (on a Mac: Preview, File, Export)";

/** Names of files that editors mistake for images of the web, or that were not exported yet. */
const otherImage =
  /\.(gif|tiff?|bmp|psd|ai|eps|raw|dng|cr[23]|nef|arw|orf|rw2|jp2|jxl|pdf|docx?)$/i;

export const isHeicName = (name: string) => /\.hei[cf]$/i.test(name);

/** Whether an editor probably considers the file an image, even if the site cannot show it. */
export const isImageName = (name: string) =>
  /\.(svg|png|jpe?g|webp|avif)$/i.test(name) || isHeicName(name) || otherImage.test(name);

/** Replaces letters that have no base letter in Unicode. */
const spellOut = (name: string) =>
  name.replaceAll(/[ßæœø]/gi, (letter) => latinLetters[letter.toLowerCase()] ?? letter);
const latinLetters: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o" };

/**
 * Explains why an image cannot have this name. The result completes a sentence that begins with the
 * file. Null if the name is correct, or not similar to the name of an image.
 */
export function explainImageName(name: string): string | null {
  if (artFileName.test(name)) return null;
  if (/^(?:https?:)?\/\//i.test(name))
    return "must be the name of a file in the city folder, not a URL: save the image there";
  if (isHeicName(name)) return heicAdvice;
  const [, stem = "", extension] = /^(.*)\.(\w{1,5})$/.exec(name) ?? [];
  if (extension === undefined) return null;
  if (otherImage.test(name))
    return `ends in .${extension}, which the site cannot show: export it as JPEG`;
  if (!isImageName(name)) return null;
  if (stem.includes("/")) {
    const bareName = name.slice(name.lastIndexOf("/") + 1);
    return artFileName.test(bareName) ? `must be a name without a folder: ${bareName}` : null;
  }
  return `has a name that cannot be part of a URL: rename the file to ${toSlug(spellOut(stem)) || "photo"}.${extension.toLowerCase()}`;
}
