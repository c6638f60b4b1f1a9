import { z } from "zod";
import { artFile, image, text } from "../../lib/site/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../lib/site/site-file.server.ts";

/** The words of the radio page. What is played lies in radio/ or comes from RADIO_UPSTREAM. */
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
    /** Drawn over the image while the radio plays, at the same size. */
    onAirFile: artFile.optional(),
  }),
);

export type RadioTexts = ValueOf<typeof radioFile>;
