import { z } from "zod";
import { path, text, webUrl } from "../../site-files/site-fields.server.ts";
import { type SiteFile, siteFile } from "../../site-files/site-file.server.ts";

const briefTexts = z.strictObject({
  heading: text.default("The Daily Brief"),
  intro: text.default("The city in two minutes, every morning at seven."),
  description: text.default(
    "Every morning at seven: the headlines, today’s events, our stories and one fact.",
  ),
  /** Each brief shows one of these facts, in this order. */
  facts: z
    .array(
      z.strictObject({
        text: text.max(400, "must have at most 400 characters"),
        link: z
          .strictObject({
            label: text,
            url: z.union(
              [path, webUrl],
              "must be a full URL, such as https://www.example.com/, or a page of this site, such as /about",
            ),
          })
          .optional(),
      }),
    )
    .max(400, "must have at most 400 facts")
    .default([]),
});

export const briefFile: SiteFile<z.output<typeof briefTexts>> = {
  ...siteFile("brief.yaml", briefTexts),
  whenMissing: {
    value: briefTexts.parse({}),
    effect: "the daily brief has its default texts, and no facts",
  },
};
