import { z } from "zod";
import { image, text } from "../../site-files/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../site-files/site-file.server.ts";

/** The days of the week, as `Date` numbers them. */
export const weekdays = [
  "sunday",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
] as const;

const itemCount = z.int().min(0).max(20, "must be at most 20");

export const newsletterFile = siteFile(
  "newsletter.yaml",
  z.strictObject({
    heading: text,
    pitch: text,
    image: image,
    confirmationsPerHour: z.int().min(1).max(100_000),
    confirmation: z.strictObject({
      subject: text,
      question: text,
      button: text,
      otherwise: text,
    }),
    already: z.strictObject({ subject: text, text }),
    issue: z.strictObject({
      schedule: z
        .strictObject({
          weekday: z.enum(weekdays, "must be a day of the week, such as friday"),
          time: z
            .string()
            .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as "07:00", in quotes'),
        })
        .optional(),
      subject: text,
      greeting: text,
      headings: z.strictObject({
        stories: text,
        headlines: text,
        posts: text,
        tonight: text.default("Tonight"),
        events: text,
        corrections: text,
      }),
      counts: z.strictObject({
        stories: itemCount,
        headlines: itemCount,
        posts: itemCount,
        tonight: itemCount.default(5),
        events: itemCount,
      }),
    }),
  }),
);

export type NewsletterTexts = ValueOf<typeof newsletterFile>;
