import type { Element, Root } from "hast";
import rehypeRaw from "rehype-raw";
import rehypeSanitize, { type Options as SanitizeSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { adaptLink } from "../links/external-links.server.ts";
import { textToHtml } from "./html.ts";
import { isHtmlOnly } from "./html-blocks.server.ts";
import { markdownTables } from "./markdown-tables.server.ts";
import { markdownToParagraphs } from "./plain-text.server.ts";
import { typesetTree } from "./typography/typeset-tree.server.ts";
import { toTypographic } from "./typography/typography.ts";

/** Converts the URL of an external image to a path on our site; null omits the image. */
export type ToImagePath = (url: string) => string | null;

type RenderOptions = { origin: string; toImagePath: ToImagePath };

const toNames = (list: string) => list.split(" ");

const allowedElements =
  "p br hr h1 h2 h3 h4 h5 h6 blockquote pre code kbd strong b em i s del ins mark small sub sup q cite abbr ul ol li dl dt dd a img figure figcaption table caption thead tbody tr th td";
/** The content of these elements is code or a name, not text for readers. */
const hiddenElements =
  "script style template iframe object noscript textarea select title svg math";

/**
 * All elements and attributes that may be shown to readers. id, name and class are not allowed,
 * because they could interfere with the page.
 */
const allowed: SanitizeSchema = {
  tagNames: toNames(allowedElements),
  attributes: {
    a: ["href", "title"],
    img: ["src", "alt", "title", "width", "height"],
    ol: ["start"],
    abbr: ["title"],
    th: [["align", "left", "center", "right"]],
    td: [["align", "left", "center", "right"]],
  },
  protocols: { href: ["http", "https", "mailto", "tel"], src: ["http", "https"] },
  ancestors: {
    ...Object.fromEntries(
      ["thead", "tbody", "tr", "th", "td", "caption"].map((name) => [name, ["table"]]),
    ),
    li: ["ol", "ul"],
  },
  strip: toNames(hiddenElements),
  clobber: [],
};

const fromMarkdown = unified()
  .use(remarkParse)
  .use(markdownTables)
  .use(remarkRehype, { allowDangerousHtml: true })
  .freeze();
const toSafeTree = unified()
  .use(rehypeRaw)
  .use(rehypeSanitize, allowed)
  .use(() => typesetTree)
  .freeze();
const toHtml = unified().use(rehypeStringify).freeze();

/** The longest text that is shown, several times as long as the longest post. */
const maxCharacters = 1_000_000;

/** The longest HTML that is shown. The longest posts have half of it. */
const maxHtmlCharacters = 2_000_000;
/** Escaping makes a text at most this many times as long. */
const maxEscapedFactor = 6;
/**
 * No text by a person has HTML of more than this length. An element that is not closed is repeated
 * in each of the following paragraphs. A list of short links becomes five times as long, because
 * each link says that it opens in a new tab.
 */
const maxHtmlLength = (source: string): number =>
  Math.min(maxHtmlCharacters, 50_000 + 8 * source.length);

/**
 * Renders a post's text, which is Markdown with the HTML that the list above allows, as safe HTML.
 * A text that is too long or too deeply nested, or whose HTML would be too long, is shown without
 * its markup. A hostile text can take minutes, so the caller needs a deadline.
 */
export function renderUntrusted(source: string, options: RenderOptions): string {
  if (source.length > maxCharacters) return renderWithoutMarkup(source);
  try {
    const tree = toSafeTree.runSync(toUnsafeTree(source));
    fixHeadingLevels(tree);
    visit(tree, (element) => adapt(element, options));
    const html = toHtml.stringify(tree);
    return html.length <= maxHtmlLength(source) ? html : renderWithoutMarkup(source);
  } catch (error) {
    // The parsers call themselves for each nested element, so a deep text can fill the call stack.
    if (error instanceof RangeError) return renderWithoutMarkup(source);
    throw error;
  }
}

/** Renders a text as paragraphs without its markup, in time proportional to its length. */
export function renderWithoutMarkup(source: string): string {
  const toParagraphs = (maxLength: number) =>
    textToHtml(toTypographic(markdownToParagraphs(source.slice(0, maxLength))));
  const html = toParagraphs(maxCharacters);
  if (html.length <= maxHtmlCharacters) return html;
  return toParagraphs(Math.floor(maxHtmlCharacters / maxEscapedFactor));
}

const toUnsafeTree = (source: string): Root =>
  isHtmlOnly(source)
    ? { type: "root", children: [{ type: "raw", value: source }] }
    : fromMarkdown.runSync(fromMarkdown.parse(source));

/**
 * The title of the page is its only h1, so the highest heading of the text becomes an h2, and no
 * level below is skipped.
 */
function fixHeadingLevels(tree: Root): void {
  const headings: Element[] = [];
  visit(tree, (element) => {
    if (/^h[1-6]$/.test(element.tagName)) headings.push(element);
    return true;
  });
  const readLevel = ({ tagName }: Element) => Number(tagName[1]);
  const highest = Math.min(...headings.map(readLevel));
  let last = 1;
  for (const heading of headings) {
    last = Math.min(readLevel(heading) - highest + 2, last + 1, 6);
    heading.tagName = `h${last}`;
  }
}

/** Adapts links and images to our site; false removes the element. */
function adapt(element: Element, { origin, toImagePath }: RenderOptions): boolean {
  const { tagName, properties } = element;
  if (tagName === "a") adaptLink(element, origin);
  if (tagName === "img") {
    const url = properties.src ? URL.parse(String(properties.src), origin) : null;
    const src = url && toImagePath(url.href);
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

/** Calls `keep` for each element and removes the elements for which it returns false. */
function visit(parent: Root | Element, keep: (element: Element) => boolean): void {
  for (const child of [...parent.children]) {
    if (child.type !== "element") continue;
    if (keep(child)) visit(child, keep);
    else parent.children.splice(parent.children.indexOf(child), 1);
  }
}
