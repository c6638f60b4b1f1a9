import {
  findActiveHtml,
  type HtmlTag,
  htmlProblem,
  mayContainActiveHtml,
} from "../lib/text/html-in-markdown.server.ts";
import { type Rendered, renderMarkdown } from "../lib/text/markdown.server.ts";
import { maxProblems, type Parsed } from "./site-yaml.server.ts";

/** The result of reading the text of a Markdown file. A problem's line is a line of the text. */
export type PageText<T = Rendered> = Parsed<T>;

/**
 * Does the same as the functions below, but not in the thread that serves readers, because a long
 * text can take a second.
 */
export type TextParser = {
  renderPageText(body: string, origin?: string): Promise<PageText>;
  checkPostText(body: string): Promise<PageText<null>>;
};

export const tooComplex: PageText<never> = {
  ok: false,
  problems: [
    {
      line: 1,
      field: "the text",
      message: "is too long or too deeply nested for Markdown: make it shorter or simpler",
    },
  ],
};

/** Renders the Markdown of a page, which must not contain HTML. */
export function renderPageText(body: string, origin?: string): PageText {
  return unlessTooDeep(tooComplex, () => {
    const { htmlTags, ...value } = renderMarkdown(body, origin);
    return htmlTags.length > 0 ? refuseHtml(htmlTags, value) : { ok: true, value };
  });
}

/**
 * Checks the text of a blog post, which may contain HTML, except for active elements. A text that
 * is too deeply nested to be parsed passes, and is shown without its markup.
 */
export function checkPostText(body: string): PageText<null> {
  return unlessTooDeep({ ok: true, value: null }, () => {
    const htmlTags = mayContainActiveHtml(body) ? findActiveHtml(body) : [];
    return htmlTags.length > 0 ? refuseHtml(htmlTags) : { ok: true, value: null };
  });
}

/** The parser calls itself for each nested element, so a deep text can fill the call stack. */
function unlessTooDeep<T>(whenTooDeep: PageText<T>, read: () => PageText<T>): PageText<T> {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return whenTooDeep;
    throw error;
  }
}

/** The tag that begins an element and the one that ends it are one problem. */
const refuseHtml = (tags: HtmlTag[], rest?: Rendered): PageText<never> => ({
  ok: false,
  problems: [...new Map(tags.map((each) => [`${each.line} ${each.tag}`, each])).values()]
    .slice(0, maxProblems)
    .map(({ tag, line }) => ({ line, field: "", message: htmlProblem(tag) })),
  rest,
});
