import { artFileName } from "../lib/images/art.ts";

export const heicAdvice =
  "is a HEIC photo, which browsers cannot show: export it as JPEG (on a Mac: Preview, File, Export)";

const isHeicName = (name: string) => /\.hei[cf]$/i.test(name);

/**
 * Explains why an image cannot have this name. The result completes a sentence that begins with the
 * file. Null if the name is correct, or not similar to the name of an image.
 */
export function explainImageName(name: string): string | null {
  if (artFileName.test(name)) return null;
  if (isHeicName(name)) return heicAdvice;
  return /\.(svg|png|jpe?g|webp|avif|gif|tiff?)$/i.test(name)
    ? "cannot be an image of the site: save it in the city folder as JPEG, with only letters, digits, - and _ in its name"
    : null;
}
