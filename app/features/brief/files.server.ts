import { z } from "zod";
import { externalLink, text } from "../../lib/site/site-fields.server.ts";
import { type SiteFile, siteFile, type ValueOf } from "../../lib/site/site-file.server.ts";

const briefTexts = z.strictObject({
  heading: text.default("The Daily Brief"),
  intro: text.default("The city in two minutes, every morning at seven."),
  description: text.default(
    "Every morning at seven: the headlines, today's events, our stories and one fact.",
  ),
  /** One fact per day, in this order. */
  facts: z
    .array(
      z.strictObject({
        text: text.max(400, "must have at most 400 characters"),
        link: externalLink.optional(),
      }),
    )
    .max(400, "must have at most 400 facts")
    .default([]),
});

export const briefFile: SiteFile<z.output<typeof briefTexts>> = {
  ...siteFile("brief.yaml", briefTexts),
  whenMissing: { value: briefTexts.parse({}) },
};

export type BriefTexts = ValueOf<typeof briefFile>;
