import type { Element, Root } from "hast";
import rehypeRaw from "rehype-raw";
import rehypeSanitize, { type Options as SanitizeSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { adaptLink } from "../links/external-links.server.ts";
import { textToHtml } from "./html.ts";
import { isParsable } from "./markdown-limits.server.ts";

/** Turns the address of a picture into one of our own; null leaves the picture out. */
export type ToImagePath = (link: string) => string | null;

type RenderOptions = { origin: string; toImagePath: ToImagePath };

/**
 * Every element and attribute that may reach a reader. No id, no name and no class: none of them
 * could be trusted.
 */
const allowed: SanitizeSchema = {
  tagNames: [
    "p",
    "br",
    "hr",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "blockquote",
    "pre",
    "code",
    "kbd",
    "strong",
    "b",
    "em",
    "i",
    "s",
    "del",
    "ins",
    "mark",
    "small",
    "sub",
    "sup",
    "q",
    "cite",
    "abbr",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "a",
    "img",
    "figure",
    "figcaption",
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
  ],
  attributes: {
    a: ["href", "title"],
    img: ["src", "alt", "title", "width", "height"],
    ol: ["start"],
    abbr: ["title"],
  },
  protocols: { href: ["http", "https", "mailto", "tel"], src: ["http", "https"] },
  ancestors: {
    ...Object.fromEntries(
      ["thead", "tbody", "tr", "th", "td", "caption"].map((name) => [name, ["table"]]),
    ),
    li: ["ol", "ul"],
  },
  // What stands inside these is code or a name, not text to read.
  strip: [
    "script",
    "style",
    "template",
    "iframe",
    "object",
    "noscript",
    "textarea",
    "select",
    "title",
    "svg",
    "math",
  ],
  clobber: [],
};

const toTree = unified()
  .use(remarkParse)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize, allowed)
  .freeze();
const toHtml = unified().use(rehypeStringify).freeze();

/**
 * A post's text as safe HTML: Markdown with headings, emphasis, lists, links, quotes and code, and
 * what HTML the list above allows. A text that would take the parser unreasonably long is shown as
 * it was written, in paragraphs.
 */
export function renderUntrusted(source: string, options: RenderOptions): string {
  if (!isParsable(source)) return textToHtml(source);
  const tree = toTree.runSync(toTree.parse(source));
  orderHeadings(tree);
  visit(tree, (element) => adapt(element, options));
  return toHtml.stringify(tree);
}

/**
 * The page's own title is its one h1, so the text's highest heading becomes an h2, and no level is
 * left out below.
 */
function orderHeadings(tree: Root): void {
  const headings: Element[] = [];
  visit(tree, (element) => {
    if (/^h[1-6]$/.test(element.tagName)) headings.push(element);
    return true;
  });
  const levelOf = ({ tagName }: Element) => Number(tagName[1]);
  const highest = Math.min(...headings.map(levelOf));
  let last = 1;
  for (const heading of headings) {
    last = Math.min(levelOf(heading) - highest + 2, last + 1, 6);
    heading.tagName = `h${last}`;
  }
}

/** Makes links and pictures fit our site; false takes the element out. */
function adapt(element: Element, { origin, toImagePath: pictureAddress }: RenderOptions): boolean {
  const { tagName, properties } = element;
  if (tagName === "a") adaptLink(element, origin);
  if (tagName === "img") {
    const address = properties.src ? URL.parse(String(properties.src), origin) : null;
    const src = address && pictureAddress(address.href);
    if (!src) return false;
    element.properties = {
      ...properties,
      src,
      alt: String(properties.alt ?? ""),
      loading: "lazy",
      decoding: "async",
    };
  }
  return true;
}

function visit(parent: Root | Element, keep: (element: Element) => boolean): void {
  for (const child of [...parent.children]) {
    if (child.type !== "element") continue;
    if (keep(child)) visit(child, keep);
    else parent.children.splice(parent.children.indexOf(child), 1);
  }
}
