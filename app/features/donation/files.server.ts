import { z } from "zod";
import { calendarDate, text, webUrl } from "../../site-files/site-fields.server.ts";
import { siteFile } from "../../site-files/site-file.server.ts";
import { frequencies } from "./model.ts";

export const donationFile = siteFile(
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
