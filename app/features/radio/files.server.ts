import { z } from "zod";
import { artFile, image, text } from "../../lib/site/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../lib/site/site-file.server.ts";

/**
 * The text and images of the radio page. The audio comes from the folder radio/ or from
 * RADIO_UPSTREAM.
 */
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
  }),
);

export type RadioTexts = ValueOf<typeof radioFile>;
