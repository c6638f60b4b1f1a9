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

const replacements = new Map(
  Object.entries({
    b: "**bold**",
    strong: "**bold**",
    i: "*italic*",
    em: "*italic*",
    a: "[link text](https://www.example.com/)",
    img: "![image description](/art/photo.jpg)",
    h1: "## Heading",
    h2: "## Heading",
    h3: "### Heading",
    ul: "a list, with - before each entry",
    ol: "a list, with 1. before each entry",
    li: "a list, with - before each entry",
    p: "an empty line between two paragraphs",
    div: "an empty line between two paragraphs",
    span: "the text without a tag",
    br: "\\ at the end of the line",
    hr: "--- between two empty lines",
    blockquote: "> before each line",
    iframe: "a link to the page of the video or map",
    video: "a link to the page of the video",
    audio: "a link to the page of the recording",
    script: "a link to the page that it comes from",
    embed: "a link to the page that it comes from",
  }),
);

/** Returns the message for an HTML tag, which readers would not see, with what to write instead. */
export const htmlProblem = (tag: string): string =>
  `readers would not see the HTML <${tag}>: ${replacements.has(tag) ? `write ${replacements.get(tag)} instead` : "use Markdown instead"}`;
