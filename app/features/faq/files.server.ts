import { z } from "zod";
import { findHtmlTags, htmlProblem } from "../../lib/text/html-in-markdown.server.ts";
import { renderMarkdown } from "../../lib/text/markdown.server.ts";
import { isShort } from "../../lib/text/markdown-limits.server.ts";
import { text } from "../../site-files/site-fields.server.ts";
import { siteFile, tooComplexMessage } from "../../site-files/site-file.server.ts";

const id = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lowercase letters, digits and hyphens");

/**
 * Reports HTML in an answer. The message is the end of a sentence that begins with the name of the
 * field.
 */
function refuseHtml(source: string, context: z.core.$RefinementCtx<string>): void {
  const [html] = isShort(source) ? findHtmlTags(source) : [];
  if (html)
    context.addIssue({
      code: "custom",
      message: `has a mistake in line ${html.line} of its text: ${htmlProblem(html.tag)}`,
    });
}

const entry = (origin?: string) =>
  z.strictObject({
    id,
    question: text,
    /** Markdown, shown as HTML. */
    answer: text
      .refine(isShort, tooComplexMessage)
      .superRefine(refuseHtml)
      .transform((source) => renderMarkdown(source, origin).html),
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

/** Returns the fragment of a category's URL. */
export const categoryId = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
