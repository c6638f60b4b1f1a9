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

/** Without the metadata that cameras add; see lib/images/images.server.ts. */
export async function prepareImages(
  chosen: File[],
): Promise<{ kind: "ready"; images: EncodedImage[] } | { kind: "refused"; errors: FieldErrors }> {
  const images: EncodedImage[] = [];
  const problems: string[] = [];
  for (const file of chosen) {
    const result = await reencode(new Uint8Array(await file.arrayBuffer()));
    if (result.kind === "ok") images.push(result.image);
    else if (result.kind === "damaged")
      problems.push(`We could not open ${nameOf(file)}. It seems to be damaged.`);
    else problems.push(`${nameOf(file)} has more than ${result.megapixels} million pixels.`);
  }
  return problems.length > 0
    ? { kind: "refused", errors: toFieldErrors(problems) }
    : { kind: "ready", images };
}

type Reencoded =
  | { kind: "ok"; image: EncodedImage }
  | { kind: "damaged" }
  /** `megapixels` is the limit that the image exceeds. */
  | { kind: "too-large"; megapixels: number };

/** The largest image that we have enough memory to decode. AVIF is a HEIF format. */
const maxMegapixelsFor = ({ isHeif, needsFullDecode }: ImageSize) =>
  isHeif ? maxAvifMegapixels : needsFullDecode ? maxFullDecodeMegapixels : maxMegapixels;

async function reencode(file: Uint8Array): Promise<Reencoded> {
  const size = await readImageSize(file);
  if (!size) return { kind: "damaged" };
  const megapixels = maxMegapixelsFor(size);
  if (size.width * size.height > megapixels * 1e6) return { kind: "too-large", megapixels };
  const image = await reencodeImage(file, megapixels).catch((error: unknown) => {
    // An image that takes too long to decode counts as damaged.
    if (error instanceof ImageTooSlow) return null;
    throw error;
  });
  return image ? { kind: "ok", image } : { kind: "damaged" };
}
