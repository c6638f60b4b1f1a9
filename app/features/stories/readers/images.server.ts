import { readField } from "../../../lib/form.ts";
import { imageType } from "../../../lib/images/image-type.server.ts";
import {
  type ImageSize,
  ImageTooSlow,
  maxAvifMegapixels,
  maxFullDecodeMegapixels,
  readImageSize,
  reencodeImage,
} from "../../../lib/images/images.server.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import type { FieldErrors } from "../../forms/receive.server.ts";
import {
  altField,
  imageField,
  imageNumbers,
  maxImageBytes,
  maxImageMegabytes,
  maxMegapixels,
} from "./model.ts";

/** A file that a reader chose, with its description. */
type ChosenImage = { field: string; file: File; alt: string };

/** An image as we store and serve it. */
export type StoryImage = { width: number; height: number; alt: string; bytes: Uint8Array };

/** The files of a form. For an empty field, browsers send a file with no name and no content. */
export function readChosenImages(form: FormData): ChosenImage[] {
  return imageNumbers.flatMap((number) => {
    const file = form.get(imageField(number));
    if (!(file instanceof File) || (file.size === 0 && file.name === "")) return [];
    return [
      { field: imageField(number), file, alt: toSafeLine(readField(form, altField(number))) },
    ];
  });
}

/** Finds errors that can be detected without decoding the images. */
export async function findFileErrors(chosen: ChosenImage[]): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  for (const { field, file } of chosen) {
    const type = imageType(new Uint8Array(await file.slice(0, 16).arrayBuffer()));
    if (file.size > maxImageBytes)
      errors[field] =
        `This photo is larger than ${maxImageMegabytes} MB. Please choose a smaller one.`;
    else if (file.size === 0) errors[field] = "This file is empty. Please choose another one.";
    else if (type === null)
      errors[field] =
        "We cannot read this file. Please choose a JPEG, PNG, WebP, AVIF or GIF file.";
  }
  return errors;
}

/**
 * Re-encodes every image without the metadata that cameras add; see lib/images/images.server.ts.
 */
export async function prepareImages(
  chosen: ChosenImage[],
): Promise<{ kind: "ready"; images: StoryImage[] } | { kind: "refused"; errors: FieldErrors }> {
  const images: StoryImage[] = [];
  const errors: FieldErrors = {};
  for (const { field, file, alt } of chosen) {
    const result = await reencode(new Uint8Array(await file.arrayBuffer()));
    if (result.kind === "ok") images.push({ ...result.image, alt });
    else
      errors[field] =
        result.kind === "too-large" ? tooManyPixelsMessage(result.megapixels) : damagedMessage;
  }
  return Object.keys(errors).length > 0 ? { kind: "refused", errors } : { kind: "ready", images };
}

const damagedMessage =
  "We could not open this photo. It seems to be damaged. Please choose another one.";
const tooManyPixelsMessage = (megapixels: number) =>
  `This photo has more than ${megapixels} million pixels. Please choose a smaller one.`;

type Reencoded =
  | { kind: "ok"; image: Omit<StoryImage, "alt"> }
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
