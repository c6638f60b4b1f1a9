import { z } from "zod";
import { isNearDay, maxYearsAway } from "../lib/dates.ts";
import { findYoutubeId } from "../lib/external/youtube.ts";
import { artFileName, noImageFile } from "../lib/images/art.ts";
import { focusPoints } from "../lib/images/photos.ts";
import { toTypographic } from "../lib/text/typography/typography.ts";
import { explainImageName } from "./image-names.server.ts";

// These are fields that many site files share. Messages complete the sentence "<field> …".

/** Text that stays as typed: an id, Markdown, a word that is compared, the value of a form. */
export const typedText = z.string().trim().min(1, "must not be empty");

/** Text that readers see, with typographic quotes, apostrophes and dashes. */
export const text = typedText.overwrite(toTypographic);

export const path = z
  .string()
  .regex(/^\/(?!\/)[^\s?#]*$/, "must be a page of this site, such as /about");

const fullUrl = "must be a full URL, such as https://www.example.com/";
export const webUrl = z.url({ protocol: /^https?$/, error: fullUrl });

/** Sites offer their calendars as webcal: links, which programs request by HTTPS. */
export const calendarUrl = z
  .string(fullUrl)
  .transform((url) => url.replace(/^webcals?:/i, "https:"))
  .pipe(webUrl);

/** The id of a source that we import. */
export const sourceId = z
  .string()
  .regex(/^[a-z0-9-]+$/, "must consist of lowercase letters, digits and hyphens");

export const emailAddress = z.email("must be an email address");

/** The name of an image. `example` is the message about a name that explains nothing by itself. */
const imageFileName = (example: string) =>
  z.string().refine((name) => artFileName.test(name), {
    error: ({ input }) => explainImageName(String(input)) ?? example,
  });

export const artFile = imageFileName(
  "must be the name of an image in art/, such as hero.svg or harbor-2026.jpg: letters, digits, - and _, then .svg, .jpg, .png, .webp or .avif",
);

const photoFile = imageFileName(
  "must be the name of a photo in the same folder, or of an image in art/, such as harbor-2026.jpg: letters, digits, - and _, then .jpg, .png, .webp, .avif or .svg",
);

/** The part of an image that stays visible where the image is cropped. */
const focus = z.enum(focusPoints, {
  error:
    "must be top, bottom, left, right or center: the part of the image that is never cut off, such as top for a face",
});

/** The size reserves space while the image loads. It is 0 until it is read from the image file. */
export const image = z
  .strictObject({
    file: artFile,
    alt: z.string().overwrite(toTypographic).default(""),
    focus: focus.optional(),
  })
  .transform((written) => ({ ...written, width: 0, height: 0 }));
export type Image = z.output<typeof image>;

/** Shows how to write an image, with the name of the file if that is what was written instead. */
const explainPhoto: z.core.$ZodErrorMap = ({ code, input }) => {
  if (code !== "invalid_type") return undefined;
  const example = (file: string) => `image: { file: ${file}, alt: what it shows }`;
  const isName = typeof input === "string" && artFileName.test(input);
  return `must have a file and a description: write ${example(isName ? input : "photo.jpg")}`;
};

const explainDescription: z.core.$ZodErrorMap = ({ input }) =>
  input === undefined
    ? "is missing: describe the image for readers who cannot see it, such as alt: Boats at the pier"
    : undefined;

/**
 * The image of a story or post. If there is a photo of this name beside the Markdown file, it is
 * shown, otherwise the image in art/.
 */
export const photo = z
  .strictObject(
    {
      file: photoFile,
      alt: z
        .string({ error: explainDescription })
        .trim()
        .min(1, "must describe the image for readers who cannot see it")
        .overwrite(toTypographic),
      caption: text.optional(),
      credit: text.optional(),
      focus: focus.optional(),
    },
    { error: explainPhoto },
  )
  .transform(({ caption = null, credit = null, ...written }) => ({
    ...written,
    width: 0,
    height: 0,
    caption,
    credit,
  }));
export type Photo = z.output<typeof photo>;

export const withoutCaption = ({ file, alt, width, height, focus }: Image): Image => ({
  file,
  alt,
  width,
  height,
  ...(focus && { focus }),
});

/** The value for a story without an image. */
export const noPhoto: Photo = {
  file: noImageFile,
  alt: "",
  width: 0,
  height: 0,
  caption: null,
  credit: null,
};

export const documentFileName = /^[\w-]+\.pdf$/;

export const videoFileName = /^[\w-]+\.(mp4|webm|vtt)$/;

const videoFile = (extension: string) =>
  z
    .string()
    .regex(videoFileName, "must be the name of a file in film/")
    .endsWith(extension, `must end in ${extension}`);

/** One of our videos. If there is a YouTube video, readers see that one instead. */
export const videoFields = z.strictObject({
  title: text,
  text,
  poster: image,
  film: z.strictObject({
    webm: videoFile(".webm"),
    mp4: videoFile(".mp4"),
    captions: videoFile(".vtt"),
  }),
  youtube: z
    .string()
    .refine((url) => findYoutubeId(url) !== null, "must be the URL of a video on YouTube")
    .optional(),
});
export type VideoFields = z.output<typeof videoFields>;

export const pageLink = z.strictObject({ label: text, to: path });
export type PageLink = z.output<typeof pageLink>;

export const externalLink = z.strictObject({ label: text, url: webUrl });

export const calendarDate = z.iso.date("must be a date such as 2025-04-14");

export const nearDate = calendarDate.refine(
  (day) => isNearDay(day, new Date().toISOString().slice(0, 10)),
  `must be at most ${maxYearsAway} years away`,
);

export const timeOfDay = z
  .string()
  .regex(/^([01]?\d|2[0-3]):[0-5]\d$/, 'must be a time such as "17:30", with quotes')
  .transform((time) => time.padStart(5, "0"));

/** Samples use a number of days from today, so that they are never over. */
export const dayAndTime = z.union(
  [
    z.strictObject({ on: nearDate, at: timeOfDay }),
    z.strictObject({ inDays: z.int(), at: timeOfDay }),
  ],
  'must be { on: 2026-12-05, at: "17:30" } or { inDays: 6, at: "17:30" }',
);
