import { z } from "zod";
import { calendarDate, text, webUrl } from "../../site-files/site-fields.server.ts";
import { type SiteFile, siteFile, type ValueOf } from "../../site-files/site-file.server.ts";
import { frequencies } from "./model.ts";

const file = siteFile(
  "donation.yaml",
  z.strictObject({
    frequency: z.enum(frequencies),
    /** The first and the last day on which the pop-up appears. */
    campaign: z
      .strictObject({ from: calendarDate, until: calendarDate })
      .refine(({ from, until }) => from <= until, {
        path: ["until"],
        message: "must not be before `from`",
      })
      .optional(),
    heading: text,
    text,
    url: webUrl,
  }),
);

/** Null for a city that does not ask for donations. */
export const donationFile: SiteFile<ValueOf<typeof file> | null> = {
  ...file,
  whenMissing: { value: null, effect: "the site does not ask for donations" },
};
