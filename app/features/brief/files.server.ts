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
    .superRefine((facts, context) => {
      const firstIndexes = new Map<string, number>();
      for (const [index, fact] of facts.entries()) {
        const same = fact.text.toLowerCase().replaceAll(/\s+/g, " ");
        const firstIndex = firstIndexes.get(same);
        if (firstIndex === undefined) firstIndexes.set(same, index);
        else
          context.addIssue({
            code: "custom",
            path: [index, "text"],
            message: `is the same as entry ${firstIndex + 1} of facts: write each fact once`,
          });
      }
    })
    .default([]),
});

/** HTML tags and character references, and Markdown for links, bold text and code. */
const markup = /<\/?[a-z][^>]{0,200}>|&(?:#\d+|[a-z]+);|\]\(|\*\*|__|`/i;
const maxQuoteLength = 40;

export const briefFile: SiteFile<z.output<typeof briefTexts>> = {
  ...siteFile("brief.yaml", briefTexts, {
    remarks: ({ facts }) =>
      facts
        .filter(({ text }) => markup.test(text))
        .map(
          ({ text }) =>
            `the fact "${text.slice(0, maxQuoteLength)}…" contains HTML or Markdown, which readers see as it is typed: write plain text.`,
        ),
  }),
  whenMissing: {
    value: briefTexts.parse({}),
    effect: "the daily brief has its default texts, and no facts",
  },
};
