import type { Nodes } from "mdast";
import remarkParse from "remark-parse";
import { unified } from "unified";

export type HtmlTag = { tag: string; line: number };

/**
 * Finds the HTML tags in parsed Markdown. Comments do not count: they are meant to be invisible.
 */
export function findHtmlTags(node: Nodes): HtmlTag[] {
  if ("children" in node) return node.children.flatMap(findHtmlTags);
  if (node.type !== "html" || node.value.startsWith("<!--")) return [];
  const tag = /<\/?([a-z][a-z0-9]*)/i.exec(node.value)?.[1];
  return tag === undefined
    ? []
    : [{ tag: tag.toLowerCase(), line: node.position?.start.line ?? 1 }];
}

/** Elements that are never shown, not even in a post, where most other HTML is allowed. */
const activeElements = "iframe|script|style|object|embed|form|video|audio|svg";

const activeTag = new RegExp(`<(?:${activeElements})\\b`, "i");

export const mayContainActiveHtml = (source: string): boolean => activeTag.test(source);

const parser = unified().use(remarkParse).freeze();

export const findActiveHtml = (source: string): HtmlTag[] =>
  findHtmlTags(parser.parse(source)).filter(({ tag }) => activeTag.test(`<${tag}`));

/** Returns the message for an HTML tag, which readers would not see. */
export const htmlProblem = (tag: string): string =>
  `readers would not see the HTML <${tag}>: use Markdown instead, or a link to the page of a video or map`;
