import {
  findActiveHtml,
  findHtmlTags,
  htmlProblem,
  mayContainActiveHtml,
} from "../lib/text/html-in-markdown.server.ts";
import { type Rendered, renderMarkdown } from "../lib/text/markdown.server.ts";
import { isParsable } from "../lib/text/markdown-limits.server.ts";
import type { Problem } from "./site-yaml.server.ts";

/** The result of reading the text of a Markdown file. A problem's line is a line of the text. */
export type PageText<T = Rendered> = { ok: true; value: T } | ({ ok: false } & Problem);

/**
 * Reads texts outside the thread that serves readers, because a long text can take a second. The
 * functions below do the same in this thread.
 */
export type TextParser = {
  renderPageText(body: string, origin?: string): Promise<PageText>;
  checkPostText(body: string): Promise<PageText<null>>;
};

export const tooComplexMessage =
  "is too long or too deeply nested for Markdown: make it shorter or simpler";

export const tooComplex: PageText<never> = {
  ok: false,
  line: 1,
  field: "the text",
  message: tooComplexMessage,
};

/** Renders the Markdown of a page, which must not contain HTML. */
export function renderPageText(body: string, origin?: string): PageText {
  if (!isParsable(body)) return tooComplex;
  const [html] = findHtmlTags(body);
  if (html) return { ok: false, line: html.line, field: "", message: htmlProblem(html.tag) };
  return { ok: true, value: renderMarkdown(body, origin) };
}

/**
 * Checks the text of a blog post, which may contain HTML, except for elements that are never shown.
 * A text that is too complex to be parsed is shown without its markup.
 */
export function checkPostText(body: string): PageText<null> {
  const [html] = mayContainActiveHtml(body) && isParsable(body) ? findActiveHtml(body) : [];
  if (html) return { ok: false, line: html.line, field: "", message: htmlProblem(html.tag) };
  return { ok: true, value: null };
}
