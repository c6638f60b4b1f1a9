import {
  type ImageSize,
  ImageTooSlow,
  imageType,
  maxAvifMegapixels,
  maxFullDecodeMegapixels,
  readImageSize,
  reencodeImage,
} from "../../../lib/images/images.server.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import { truncateAtWord } from "../../../lib/text/truncate-at-word.ts";
import type { FieldErrors } from "../../forms/receive.server.ts";
import { imageField, maxImageBytes, maxImageMegabytes, maxImages, maxMegapixels } from "./model.ts";

type EncodedImage = { width: number; height: number; bytes: Uint8Array };
export type StoryImage = EncodedImage & { alt: string };

/** The files of a form. For an empty field, browsers send a file with no name and no content. */
export const readChosenImages = (form: FormData): File[] =>
  [...form.values()]
    .filter((value) => value instanceof File)
    .filter(({ size, name }) => size > 0 || name !== "");

/** Finds errors that can be detected without decoding the images. */
export async function findFileErrors(chosen: File[]): Promise<FieldErrors> {
  if (chosen.length > maxImages) return toFieldErrors([`Please choose up to ${maxImages} photos.`]);
  const problems: string[] = [];
  for (const file of chosen) {
    const type = imageType(new Uint8Array(await file.slice(0, 16).arrayBuffer()));
    if (file.size > maxImageBytes)
      problems.push(`${nameOf(file)} is larger than ${maxImageMegabytes} MB.`);
    else if (file.size === 0) problems.push(`${nameOf(file)} is empty.`);
    else if (type === null)
      problems.push(
        `We cannot read ${nameOf(file)}. Please choose a JPEG, PNG, WebP, AVIF or GIF file.`,
      );
  }
  return toFieldErrors(problems);
}

/** The form has one field for all files. */
const toFieldErrors = (problems: string[]): FieldErrors =>
  problems.length > 0 ? { [imageField]: problems.join(" ") } : {};

const nameOf = ({ name }: File) => `“${truncateAtWord(toSafeLine(name), 60)}”`;

/**
 * Re-encodes the images, which drops the metadata that cameras add; see
 * lib/images/images.server.ts.
 */
export async function prepareImages(
  chosen: File[],
): Promise<{ kind: "ready"; images: EncodedImage[] } | { kind: "refused"; errors: FieldErrors }> {
  const images: EncodedImage[] = [];
  const problems: string[] = [];
  for (const file of chosen) {
    const image = await reencode(file);
    if (typeof image === "string") problems.push(image);
    else images.push(image);
  }
  return problems.length > 0
    ? { kind: "refused", errors: toFieldErrors(problems) }
    : { kind: "ready", images };
}

/**
 * The largest image that we have enough memory to decode. AVIF images are `isHeif`, because AVIF is
 * based on the HEIF format.
 */
const maxMegapixelsFor = ({ isHeif, needsFullDecode }: ImageSize) =>
  isHeif ? maxAvifMegapixels : needsFullDecode ? maxFullDecodeMegapixels : maxMegapixels;

/** Returns a message for the reader if the image cannot be used. */
async function reencode(file: File): Promise<EncodedImage | string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const damaged = `We could not open ${nameOf(file)}. It seems to be damaged.`;
  const size = await readImageSize(bytes);
  if (!size) return damaged;
  const megapixels = maxMegapixelsFor(size);
  if (size.width * size.height > megapixels * 1e6)
    return `${nameOf(file)} has more than ${megapixels} million pixels.`;
  const image = await reencodeImage(bytes, megapixels).catch((error: unknown) => {
    // An image that takes too long to decode counts as damaged.
    if (error instanceof ImageTooSlow) return null;
    throw error;
  });
  return image ?? damaged;
}
