import { z } from "zod";
import { picture, text } from "../../lib/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../lib/site-file.server.ts";

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
    image: picture,
  }),
);

export type RadioTexts = ValueOf<typeof radioFile>;
