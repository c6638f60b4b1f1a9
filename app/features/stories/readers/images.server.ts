import { formField } from "../../../lib/form.ts";
import { imageType } from "../../../lib/images/image-type.server.ts";
import {
  type ImageSize,
  ImageTooSlow,
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
  maxAvifMegapixels,
  maxImageBytes,
  maxImageMegabytes,
  maxMegapixels,
} from "./model.ts";

/** A file that a reader chose, with its line of words. */
type ChosenImage = { field: string; file: File; alt: string };

/** A picture as it is stored and shown. */
export type StoryImage = { width: number; height: number; alt: string; bytes: Uint8Array };

/** The files of a form. A field that was left empty sends a file without name and bytes. */
export function readChosenImages(form: FormData): ChosenImage[] {
  return imageNumbers.flatMap((number) => {
    const file = form.get(imageField(number));
    if (!(file instanceof File) || (file.size === 0 && file.name === "")) return [];
    return [
      { field: imageField(number), file, alt: toSafeLine(formField(form, altField(number))) },
    ];
  });
}

/** What can be said against the files without opening them. */
export async function findFileErrors(chosen: ChosenImage[]): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  for (const { field, file } of chosen) {
    const type = imageType(new Uint8Array(await file.slice(0, 16).arrayBuffer()));
    if (file.size > maxImageBytes)
      errors[field] =
        `This picture is larger than ${maxImageMegabytes} MB. Please choose a smaller one.`;
    else if (file.size === 0) errors[field] = "This file is empty. Please choose another one.";
    else if (type === null)
      errors[field] =
        "We cannot read this file. Please choose a JPEG, PNG, WebP, AVIF or GIF picture.";
  }
  return errors;
}

/**
 * Encodes every picture again, without all that a camera writes into it: see
 * lib/images/images.server.ts.
 */
export async function prepareImages(
  chosen: ChosenImage[],
): Promise<{ kind: "ready"; pictures: StoryImage[] } | { kind: "refused"; errors: FieldErrors }> {
  const pictures: StoryImage[] = [];
  const errors: FieldErrors = {};
  for (const { field, file, alt } of chosen) {
    const made = await reencode(new Uint8Array(await file.arrayBuffer()));
    if (made.kind === "made") pictures.push({ ...made.picture, alt });
    else errors[field] = made.kind === "huge" ? tooManyPixelsMessage(made.most) : damagedMessage;
  }
  return Object.keys(errors).length > 0 ? { kind: "refused", errors } : { kind: "ready", pictures };
}

const damagedMessage =
  "We could not open this picture: it seems to be damaged. Please choose another one.";
const tooManyPixelsMessage = (most: number) =>
  `This picture has more than ${most} million pixels. Please choose a smaller one.`;

type Reencoded =
  | { kind: "made"; picture: Omit<StoryImage, "alt"> }
  | { kind: "broken" }
  | { kind: "huge"; most: number };

/** The number of pixels, in millions, that decoding has memory for. */
const maxMegapixelsFor = ({ isHeif, needsFullDecode }: ImageSize) =>
  isHeif ? maxAvifMegapixels : needsFullDecode ? maxFullDecodeMegapixels : maxMegapixels;

async function reencode(file: Uint8Array): Promise<Reencoded> {
  const size = await readImageSize(file);
  if (!size) return { kind: "broken" };
  const most = maxMegapixelsFor(size);
  if (size.width * size.height > most * 1e6) return { kind: "huge", most };
  const picture = await reencodeImage(file, "webp", most, "readers").catch((error: unknown) => {
    if (error instanceof ImageTooSlow) return null;
    throw error;
  });
  return picture ? { kind: "made", picture } : { kind: "broken" };
}
