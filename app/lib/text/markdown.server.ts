import type { Element, Root } from "hast";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { adaptLink } from "../links/external-links.server.ts";
import { toSlug } from "./slug.ts";

type Heading = { id: string; text: string };
export type Rendered = {
  html: string;
  /** The main headings, for a table of contents. */
  headings: Heading[];
};

/**
 * The default list of URL schemes lacks `tel:`. Texts of the newsroom may contain phone numbers.
 */
const { href = [] } = defaultSchema.protocols ?? {};
const allowed = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: [...(href ?? []), "tel"] },
};

const toTree = unified().use(remarkParse).use(remarkRehype).use(rehypeSanitize, allowed).freeze();
const toHtml = unified().use(rehypeStringify).freeze();

/** Renders Markdown as safe HTML. Links to `origin`, the site itself, open in the same tab. */
export function renderMarkdown(source: string, origin?: string): Rendered {
  const tree = toTree.runSync(toTree.parse(source));
  // Headings come first, so that their ids do not contain the note about new tabs.
  const headings = addHeadingIds(tree);
  adaptLinks(tree, origin);
  return { html: toHtml.stringify(tree), headings };
}

function adaptLinks(parent: Root | Element, origin: string | undefined): void {
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    if (child.tagName === "a") adaptLink(child, origin);
    else adaptLinks(child, origin);
  }
}

/** Gives each heading an id that is derived from its text, so that readers can link to it. */
function addHeadingIds(tree: Root): Heading[] {
  const seen = new Map<string, number>();
  return tree.children.flatMap((node) => {
    if (node.type !== "element" || !/^h[1-6]$/.test(node.tagName)) return [];
    const text = readText(node);
    const slug = toSlug(text);
    const times = (seen.get(slug) ?? 0) + 1;
    seen.set(slug, times);
    const id = times === 1 ? slug : `${slug}-${times}`;
    node.properties.id = id;
    return node.tagName === "h2" ? [{ id, text }] : [];
  });
}

function readText(element: Element): string {
  return element.children
    .map((child) =>
      child.type === "text" ? child.value : child.type === "element" ? readText(child) : "",
    )
    .join("");
}
