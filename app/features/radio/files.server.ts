import { z } from "zod";
import { artPath, findAvailable } from "../../lib/images/art.ts";
import { artFile, image, text } from "../../site-files/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../site-files/site-file.server.ts";
import { dayWords } from "./schedule/programs.ts";

const timeMessage = "must be a time such as 06:30 or 18:00";

/**
 * The message also applies to a number, because YAML reads 17.00 as one, and quotes would not
 * correct it.
 */
const time = (pattern: RegExp) =>
  z
    .string({ error: ({ input }) => (input === undefined ? undefined : timeMessage) })
    .regex(pattern, timeMessage);

const day = z.enum(dayWords);

const program = z.strictObject({
  days: z.array(day).min(1),
  start: time(/^([01]\d|2[0-3]):[0-5]\d$/),
  end: time(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/),
  title: text.max(80),
  text: text.max(300).optional(),
  host: text.max(80).optional(),
});

const schedule = z.strictObject({
  sample: z.boolean().default(false),
  programs: z
    .array(program)
    .min(1, "must have at least one program: to show no schedule, delete schedule and all below it")
    .max(200),
});

/** The content of the radio page. The audio comes from the folder radio/ or from RADIO_UPSTREAM. */
export const radioFile = siteFile(
  "radio.yaml",
  z.strictObject({
    title: text,
    description: text,
    station: text,
    heading: text,
    subtitle: text,
    nowPlaying: z.strictObject({ heading: text, text }),
    tip: text,
    image: image,
    /** Shown on top of the image, at the same size, while the radio plays. */
    onAirFile: artFile.optional(),
    /** A square image of the station, for the lock screens of phones. */
    artwork: image.optional(),
    schedule: schedule.optional(),
  }),
);

export type RadioTexts = ValueOf<typeof radioFile>;

type Artwork = { src: string; sizes: string; type: string };

/** Lists the images that a lock screen can choose from: the station's, and the icon of the site. */
export function listArtwork(
  image: { file: string; width: number; height: number } | undefined,
  touchIcon: string,
): Artwork[] {
  const found = findAvailable(image);
  return [
    ...(found ? [toArtwork(artPath(found.file), `${found.width}x${found.height}`)] : []),
    toArtwork(artPath(touchIcon), "180x180"),
  ];
}

const toArtwork = (src: string, sizes: string): Artwork => ({
  src,
  sizes,
  type: /\.jpe?g(?:\?|$)/.test(src) ? "image/jpeg" : "image/png",
});
