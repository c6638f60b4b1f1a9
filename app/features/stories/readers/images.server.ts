import { formField } from "../../../lib/form.ts";
import { imageType } from "../../../lib/images/image-type.server.ts";
import {
  type ImageSize,
  ImageTooSlow,
  maxWholeMegapixels,
  readImageSize,
  reencodeImage,
} from "../../../lib/images/images.server.ts";
import { plainLine } from "../../../lib/text/plain-text.ts";
import type { FieldErrors } from "../../forms/receive.server.ts";
import {
  altField,
  maxAvifMegapixels,
  maxMegapixels,
  maxPictureBytes,
  maxPictureMegabytes,
  pictureField,
  pictureNumbers,
} from "./model.ts";

/** A file that a reader chose, with its line of words. */
type ChosenPicture = { field: string; file: File; alt: string };

/** A picture as it is stored and shown. */
export type Picture = { width: number; height: number; alt: string; bytes: Uint8Array };

/** The files of a form. A field that was left empty sends a file without name and bytes. */
export function chosenPictures(form: FormData): ChosenPicture[] {
  return pictureNumbers.flatMap((number) => {
    const file = form.get(pictureField(number));
    if (!(file instanceof File) || (file.size === 0 && file.name === "")) return [];
    return [
      { field: pictureField(number), file, alt: plainLine(formField(form, altField(number))) },
    ];
  });
}

/** What can be said against the files without opening them. */
export async function faultsOf(chosen: ChosenPicture[]): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  for (const { field, file } of chosen) {
    const type = imageType(new Uint8Array(await file.slice(0, 16).arrayBuffer()));
    if (file.size > maxPictureBytes)
      errors[field] =
        `This picture is larger than ${maxPictureMegabytes} MB. Please choose a smaller one.`;
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
export async function preparePictures(
  chosen: ChosenPicture[],
): Promise<{ kind: "ready"; pictures: Picture[] } | { kind: "refused"; errors: FieldErrors }> {
  const pictures: Picture[] = [];
  const errors: FieldErrors = {};
  for (const { field, file, alt } of chosen) {
    const made = await remake(new Uint8Array(await file.arrayBuffer()));
    if (made.kind === "made") pictures.push({ ...made.picture, alt });
    else errors[field] = made.kind === "huge" ? hugeSentence(made.most) : brokenSentence;
  }
  return Object.keys(errors).length > 0 ? { kind: "refused", errors } : { kind: "ready", pictures };
}

const brokenSentence =
  "We could not open this picture: it seems to be damaged. Please choose another one.";
const hugeSentence = (most: number) =>
  `This picture has more than ${most} million pixels. Please choose a smaller one.`;

type Made =
  | { kind: "made"; picture: Omit<Picture, "alt"> }
  | { kind: "broken" }
  | { kind: "huge"; most: number };

/** The number of pixels, in millions, that decoding has memory for. */
const mostPixelsOf = ({ isHeif, isWhole }: ImageSize) =>
  isHeif ? maxAvifMegapixels : isWhole ? maxWholeMegapixels : maxMegapixels;

async function remake(file: Uint8Array): Promise<Made> {
  const size = await readImageSize(file);
  if (!size) return { kind: "broken" };
  const most = mostPixelsOf(size);
  if (size.width * size.height > most * 1e6) return { kind: "huge", most };
  const picture = await reencodeImage(file, "webp", most, "readers").catch((error: unknown) => {
    if (error instanceof ImageTooSlow) return null;
    throw error;
  });
  return picture ? { kind: "made", picture } : { kind: "broken" };
}
