import type { Element, Root } from "hast";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { slugOf } from "./slug.ts";

export type Heading = { id: string; text: string };
export type Rendered = {
  html: string /** The main headings, for a list of contents. */;
  headings: Heading[];
};

const toTree = unified().use(remarkParse).use(remarkRehype).use(rehypeSanitize).freeze();
const toHtml = unified().use(rehypeStringify).freeze();

export function renderMarkdown(source: string): Rendered {
  const tree = toTree.runSync(toTree.parse(source));
  const headings = linkHeadings(tree);
  return { html: toHtml.stringify(tree), headings };
}

/** Gives each heading an id made of its words, so that a paragraph of a long page can be linked to. */
function linkHeadings(tree: Root): Heading[] {
  const seen = new Map<string, number>();
  return tree.children.flatMap((node) => {
    if (node.type !== "element" || !/^h[1-6]$/.test(node.tagName)) return [];
    const text = textOf(node);
    const slug = slugOf(text);
    const times = (seen.get(slug) ?? 0) + 1;
    seen.set(slug, times);
    const id = times === 1 ? slug : `${slug}-${times}`;
    node.properties.id = id;
    return node.tagName === "h2" ? [{ id, text }] : [];
  });
}

function textOf(element: Element): string {
  return element.children
    .map((child) => (child.type === "text" ? child.value : child.type === "element" ? textOf(child) : ""))
    .join("");
}
