import { z } from "zod";
import { calendarDate, text } from "./site-fields.server.ts";

// These are the fields that stories and blog posts share, under the same names.

const dayAndTime = /^(\d{4}-\d{2}-\d{2}) (.*)$/;
const time = /^([01]\d|2[0-3]):[0-5]\d$/;

/** A day, or a day and a time in the city's time zone, such as 2026-11-15 18:30. */
export const dayOrTime = z.string().superRefine((written, context) => {
  const [, day = written, clockTime] = dayAndTime.exec(written) ?? [];
  const parsed = calendarDate.safeParse(day);
  const refuse = (message: string) => context.addIssue({ code: "custom", message });
  if (!parsed.success) refuse(parsed.error.issues[0]?.message ?? "is not a date");
  else if (clockTime !== undefined && !time.test(clockTime))
    refuse(`must be a day such as ${day}, or a day and a time such as ${day} 18:30`);
});

const name = text.max(100, "must have at most 100 characters");

/** One name or a list of names. */
export const author = z
  .union([z.array(name).min(1).max(10), name], {
    error: "must be a name, or a list of names such as [Ada Byrd, Sam Cole]",
  })
  .transform((names) => (typeof names === "string" ? [names] : names));

export const corrections = z
  .array(
    z.strictObject({
      date: dayOrTime,
      text: text.max(1_000, "must have at most 1,000 characters"),
    }),
  )
  .max(50);

export type Correction = z.output<typeof corrections>[number];

/**
 * Refuses an update or a correction from before the date of the article, which is usually a wrong
 * year. A day is compared with a day and a time by its day only.
 */
export function refuseEarlyChanges(
  article: { date: string; updated?: string | undefined; corrections: Correction[] },
  context: z.core.$RefinementCtx,
  noun: string,
): void {
  const date = article.date.replace(/T.*/, "");
  const isBefore = (written: string) => {
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
