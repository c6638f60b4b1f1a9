import { z } from "zod";
import { maxSlugLength, slugPattern, toSlug } from "../../lib/text/slug.ts";
import { toComparableWords } from "../../lib/text/whole-words.ts";
import { text } from "../../site-files/site-fields.server.ts";
import { type SiteFile, siteFile } from "../../site-files/site-file.server.ts";
import type { Place } from "./model.ts";

/** More would not fit into a row of links. */
const maxNeighborhoods = 40;
/** Each word of a neighborhood is searched for in each text. */
const maxWords = 20;

const text60 = text
  .max(60, "must have at most 60 characters")
  .refine((written) => toComparableWords(written).trim() !== "", {
    error: "must contain a letter or a digit",
  });

const words = z.array(text60).max(maxWords, `must have at most ${maxWords} entries`);

const neighborhood = z
  .strictObject({
    name: text.max(40, "must have at most 40 characters"),
    /** The name in URLs, if it is not derived from the name. */
    slug: z
      .string()
      .max(maxSlugLength, `must have at most ${maxSlugLength} characters`)
      .regex(slugPattern, "must consist of lowercase letters, digits and hyphens")
      .optional(),
    /** The words and phrases by which we recognize texts about it. By default, the name. */
    words: words.min(1, "must have at least one entry").optional(),
    /** A text that contains one of these phrases is not about the neighborhood. */
    excluded: words.default([]),
  })
  .transform(({ name, slug, words: ownWords, excluded }) => ({
    name,
    slug: slug ?? toSlug(name),
    words: ownWords ?? [name],
    excluded,
  }));

export type Neighborhood = Place & { words: string[]; excluded: string[] };

const file = siteFile(
  "neighborhoods.yaml",
  z
    .array(neighborhood)
    .max(maxNeighborhoods, `must have at most ${maxNeighborhoods} neighborhoods`)
    .nullable()
    .transform((list): Neighborhood[] => list ?? [])
    .superRefine((list, context) => {
      const indexesBySlug = new Map<string, number>();
      for (const [index, { slug, words, excluded }] of list.entries()) {
        const refuse = (path: (string | number)[], message: string) =>
          context.addIssue({ code: "custom", path: [index, ...path], message });
        const otherIndex = indexesBySlug.get(slug);
        if (slug === "")
          refuse(["name"], "has no Latin letters: add a line such as slug: old-town");
        else if (otherIndex !== undefined)
          refuse(["name"], `has the same URL as ${list[otherIndex]?.name}: give it another slug`);
        indexesBySlug.set(slug, index);
        for (const [position, phrase] of excluded.entries()) {
          // A text with this word always contains the excluded phrase too.
          const hidden = words.find((each) =>
            toComparableWords(each).includes(toComparableWords(phrase)),
          );
          if (hidden !== undefined)
            refuse(["excluded", position], `excludes "${hidden}", which is one of the words`);
        }
      }
    }),
);

/** The neighborhoods that readers can select. A city without the file has none. */
export const neighborhoodsFile: SiteFile<Neighborhood[]> = {
  ...file,
  whenMissing: { value: [], effect: "no neighborhoods are shown" },
};
