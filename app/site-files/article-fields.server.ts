import { z } from "zod";
import { calendarDate, text } from "./site-fields.server.ts";

// These are the fields that stories and blog posts share, under the same names.

const dayAndTime = /^(\d{4}-\d{2}-\d{2})(?: ([01]\d|2[0-3]):[0-5]\d)?$/;
const dayOrTimeMessage =
  "must be a day such as 2026-11-15, or a day and a time such as 2026-11-15 18:30";

/** A day, or a day and a time in the city's time zone, such as 2026-11-15 18:30. */
export const dayOrTime = z
  .string(dayOrTimeMessage)
  .refine(
    (written) => calendarDate.safeParse(dayAndTime.exec(written)?.[1]).success,
    dayOrTimeMessage,
  );

const name = text.max(100, "must have at most 100 characters");

export const author = z
  .union([z.array(name).min(1).max(10), name], {
    error: "must be a name, or a list of names such as [Ada Byrd, Sam Cole]",
  })
  .transform((names) => (typeof names === "string" ? [names] : names));

const correctionExample = '{ date: 2026-11-16, text: "What was wrong, and what is right." }';

export const corrections = z
  .array(
    z.strictObject(
      { date: dayOrTime, text: text.max(1_000, "must have at most 1,000 characters") },
      {
        error: ({ code }) =>
          code === "invalid_type" ? `must be written as ${correctionExample}` : undefined,
      },
    ),
    `must be a list with a date and a text in each line: - ${correctionExample}`,
  )
  .max(50);

export type Correction = z.output<typeof corrections>[number];

/** Also if another field has a problem, so that editors see all problems at once. */
export const changesCheck: z.core.$ZodSuperRefineParams = {
  when: ({ issues }) =>
    !issues.some(
      ({ code, path: [key = "all"] = [] }) =>
        code !== "unrecognized_keys" &&
        ["all", "date", "updated", "corrections"].includes(String(key)),
    ),
};

/** An update or a correction from before the date of the article usually has a wrong year. */
export function refuseEarlyChanges(
  article: { date: string; updated?: string | undefined; corrections: Correction[] },
  context: z.core.$RefinementCtx,
  noun: string,
): void {
  const date = article.date.replace(/T.*/, "");
  const isBefore = (written: string) => {
    // If only one of the two has a time, their days are compared.
    const length = Math.min(written.length, date.length);
    return written.slice(0, length) < date.slice(0, length);
  };
  const refuse = (path: PropertyKey[]) =>
    context.addIssue({ code: "custom", path, message: `is before the ${noun}'s date, ${date}` });
  if (article.updated !== undefined && isBefore(article.updated)) refuse(["updated"]);
  for (const [index, correction] of article.corrections.entries())
    if (isBefore(correction.date)) refuse(["corrections", index, "date"]);
}

export const articleFields = {
  author: author.default([]),
  /** When the text last changed in a way that readers should know about. */
  updated: dayOrTime.optional(),
  /** Whether only the newsroom can read the text, with a signed link. */
  draft: z.boolean("must be true or false").default(false),
  corrections: corrections.default([]),
};
