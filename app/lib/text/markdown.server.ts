import type { Element, Root } from "hast";
import type { Nodes } from "mdast";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { adaptLink } from "../links/external-links.server.ts";
import { findHtmlTags, type HtmlTag } from "./html-in-markdown.server.ts";
import { markdownTables } from "./markdown-tables.server.ts";
import { toSlug } from "./slug.ts";
import { typesetTree } from "./typography/typeset-tree.server.ts";

type Heading = { id: string; text: string };
export type Rendered = {
  html: string;
  /** The main headings, for a table of contents. */
  headings: Heading[];
  /** The targets of links that are left out, because no browser opens them, such as htp://x. */
  unknownLinks: string[];
};

/** The default list of URL schemes lacks `tel:`, but texts may contain phone numbers. */
const { href = [] } = defaultSchema.protocols ?? {};
const linkSchemes = [...(href ?? []), "tel"];
const allowed = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: linkSchemes },
};

/** Returns the scheme of a link if browsers do not open links with it, such as htp. */
export function findUnknownScheme(target: string): string | null {
  const scheme = /^([a-z][a-z0-9+.-]{0,40}):/i.exec(target)?.[1]?.toLowerCase();
  return scheme === undefined || linkSchemes.includes(scheme) ? null : scheme;
}

const toTree = unified()
  .use(remarkParse)
  .use(markdownTables)
  .use(remarkRehype)
  .use(rehypeSanitize, allowed)
  .use(() => typesetTree)
  .freeze();
const toHtml = unified().use(rehypeStringify).freeze();

/** The longest text that the thread for requests renders, in characters. */
export const maxShortLength = 5_000;

/**
 * Whether a text of the newsroom is so short that it is rendered in the thread that serves readers:
 * that takes about 10 ms, and starting a worker thread takes longer. A text of this length that is
 * written to be slow takes half a second, so a text from anybody else always goes to a worker.
 */
export const isShortText = (source: string): boolean => source.length <= maxShortLength;

/**
 * Renders Markdown as safe HTML with typographic marks. HTML tags in the text are left out. Links
 * to `origin`, the site itself, open in the same tab.
 */
export function renderMarkdown(
  source: string,
  origin?: string,
): Rendered & { htmlTags: HtmlTag[] } {
  const markdown = toTree.parse(source);
  const htmlTags = findHtmlTags(markdown);
  const unknownLinks = listTargets(markdown).filter((target) => findUnknownScheme(target) !== null);
  const tree = toTree.runSync(markdown);
  // Headings come first, so that their ids do not contain the note about new tabs.
  const headings = addHeadingIds(tree);
  adaptLinks(tree, origin);
  return { html: toHtml.stringify(tree), headings, unknownLinks, htmlTags };
}

function listTargets(node: Nodes): string[] {
  if (node.type === "definition") return [node.url];
  const own = node.type === "link" ? [node.url] : [];
  return "children" in node ? [...own, ...node.children.flatMap(listTargets)] : own;
}

function adaptLinks(parent: Root | Element, origin: string | undefined): void {
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    if (child.tagName === "a") adaptLink(child, origin);
    else adaptLinks(child, origin);
  }
}

/** The ids of the pages around a text. A heading with the same words gets another one. */
const pageIds =
  "alerts corrections follow footer-email footer-newsletter how-to-speak keywords main more-stories newsletter-box-email newsroom related-posts related-video series series-name site-menu site-search";

/** Gives each heading an id that is derived from its text, so that readers can link to it. */
function addHeadingIds(tree: Root): Heading[] {
  const seen = new Map(pageIds.split(" ").map((id) => [id, 1]));
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
