import type { Element, Root } from "hast";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

const processor = unified()
  .use(remarkParse)
  .use(remarkRehype)
  .use(rehypeSanitize)
  .use(linkHeadings)
  .use(rehypeStringify)
  .freeze();

export function markdownToHtml(source: string): string {
  return processor.processSync(source).toString();
}

/** Gives each heading an id made of its words, so that a paragraph of a long page can be linked to. */
function linkHeadings() {
  return (tree: Root) => {
    const seen = new Map<string, number>();
    for (const node of tree.children) {
      if (node.type !== "element" || !/^h[1-6]$/.test(node.tagName)) continue;
      const slug = slugOf(textOf(node));
      const times = seen.get(slug) ?? 0;
      seen.set(slug, times + 1);
      node.properties.id = times === 0 ? slug : `${slug}-${times + 1}`;
    }
  };
}

function textOf(element: Element): string {
  return element.children
    .map((child) => (child.type === "text" ? child.value : child.type === "element" ? textOf(child) : ""))
    .join("");
}

const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
