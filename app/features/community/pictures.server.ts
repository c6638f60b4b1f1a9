import type { SharpOptions } from "sharp";
import { formField } from "../../lib/form.ts";
import { pictureType } from "../../lib/picture-type.server.ts";
import { plainLine } from "../../lib/plain-text.ts";
import type { FieldErrors } from "../forms/receive.server.ts";
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
export type ChosenPicture = { field: string; file: File; alt: string };

/** A picture as it is stored and shown. */
export type Picture = { width: number; height: number; alt: string; bytes: Uint8Array };

/** The files of a form. A field that was left empty sends a file without name and bytes. */
export function chosenPictures(form: FormData): ChosenPicture[] {
  return pictureNumbers.flatMap((number) => {
    const file = form.get(pictureField(number));
    if (!(file instanceof File) || (file.size === 0 && file.name === "")) return [];
    return [{ field: pictureField(number), file, alt: plainLine(formField(form, altField(number))) }];
  });
}

/** What can be said against the files without opening them. */
export async function faultsOf(chosen: ChosenPicture[]): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  for (const { field, file } of chosen) {
    const type = pictureType(new Uint8Array(await file.slice(0, 16).arrayBuffer()));
    if (file.size > maxPictureBytes)
      errors[field] = `This picture is larger than ${maxPictureMegabytes} MB. Please choose a smaller one.`;
    else if (file.size === 0) errors[field] = "This file is empty. Please choose another one.";
    else if (type === null)
      errors[field] = "We cannot read this file. Please choose a JPEG, PNG, WebP, AVIF or GIF picture.";
  }
  return errors;
}

const maxSide = 2_000;
const maxStoredBytes = 1024 * 1024;
/** Tried one after the other until the picture is small enough; the last always is. */
const attempts = [
  { side: maxSide, quality: 80 },
  { side: maxSide, quality: 60 },
  { side: 1_400, quality: 60 },
  { side: 900, quality: 50 },
];
const withinSeconds = 20;

const input: SharpOptions = { limitInputPixels: maxMegapixels * 1e6, pages: 1, failOn: "error" };

/**
 * Makes every picture anew: upright, small enough, and without all that a camera writes into it, such as where it was.
 * One after the other on one thread each, so that readers' pages stay fast.
 */
export async function preparePictures(
  chosen: ChosenPicture[],
): Promise<{ kind: "ready"; pictures: Picture[] } | { kind: "refused"; errors: FieldErrors }> {
  const pictures: Picture[] = [];
  const errors: FieldErrors = {};
  for (const { field, file, alt } of chosen) {
    const made = await inTurn(async () => remake(new Uint8Array(await file.arrayBuffer())));
    if (made.kind === "made") pictures.push({ ...made.picture, alt });
    else errors[field] = sentences[made.kind];
  }
  return Object.keys(errors).length > 0 ? { kind: "refused", errors } : { kind: "ready", pictures };
}

const sentences = {
  broken: "We could not open this picture: it seems to be damaged. Please choose another one.",
  huge: `This picture has more than ${maxMegapixels} million pixels (AVIF: ${maxAvifMegapixels}). Please choose a smaller one.`,
};

type Made = { kind: "made"; picture: Omit<Picture, "alt"> } | { kind: "broken" | "huge" };

async function remake(file: Uint8Array): Promise<Made> {
  // Loaded when the first picture comes: a site without one does not carry the library.
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  sharp.cache(false);
  const size = await sharp(file, { ...input, limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (!size) return { kind: "broken" };
  const most = size.format === "heif" ? maxAvifMegapixels : maxMegapixels;
  if (size.width * size.height > most * 1e6) return { kind: "huge" };
  for (const { side, quality } of attempts) {
    const made = await sharp(file, input)
      .autoOrient()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .webp({ quality })
      .timeout({ seconds: withinSeconds })
      .toBuffer({ resolveWithObject: true })
      .catch(() => null);
    if (!made) return { kind: "broken" };
    const { data, info } = made;
    if (data.length <= maxStoredBytes)
      return { kind: "made", picture: { width: info.width, height: info.height, bytes: data } };
  }
  return { kind: "huge" };
}

let last: Promise<unknown> = Promise.resolve();

/** Work that waits until the work before it is done. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work);
  last = result.catch(() => {});
  return result;
}
