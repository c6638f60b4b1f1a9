import { z } from "zod";
import { maxShortLength } from "../../lib/text/markdown.server.ts";
import { renderPageText, tooComplex } from "../../site-files/page-text.server.ts";
import { text, typedText } from "../../site-files/site-fields.server.ts";
import { siteFile } from "../../site-files/site-file.server.ts";

const id = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lowercase letters, digits and hyphens");

/** The message for a mistake completes a sentence that begins with the name of the field. */
function renderAnswer(
  source: string,
  context: z.core.$RefinementCtx<string>,
  origin: string | undefined,
): string {
  const rendered = renderPageText(source, origin);
  if (rendered.ok) return rendered.value.html;
  for (const { line, message } of rendered.problems)
    context.addIssue(
      rendered === tooComplex ? message : `has a mistake in line ${line} of its text: ${message}`,
    );
  return z.NEVER;
}

const entry = (origin?: string) =>
  z.strictObject({
    id,
    question: text,
    /** Markdown, shown as HTML. It is short, because it is rendered in the thread for requests. */
    answer: typedText
      .max(maxShortLength, "must have at most 5,000 characters")
      .transform((source, context) => renderAnswer(source, context, origin)),
  });

export const faqFile = siteFile(
  "faq.yaml",
  (origin) =>
    z
      .strictObject({
        title: text,
        description: text,
        intro: text,
        categories: z
          .array(z.strictObject({ name: text, questions: z.array(entry(origin)).min(1) }))
          .min(1),
      })
      .superRefine(({ categories }, context) => {
        const seen = new Set(categories.map(({ name }) => categoryId(name)));
        for (const [category, { questions }] of categories.entries()) {
          for (const [index, { id }] of questions.entries()) {
            const path = ["categories", category, "questions", index, "id"];
            if (seen.has(id)) context.addIssue({ code: "custom", path, message: "is used twice" });
            seen.add(id);
          }
        }
      }),
  { maxKilobytes: 256 },
);

export const categoryId = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
