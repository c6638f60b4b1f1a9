const blockTags = new Set(
  "address article aside blockquote body dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table ul".split(
    " ",
  ),
);
const skippedTags = new Set("head meta link script style template title o:p".split(" "));

/** `isItem`: an item of a list, which has no empty line before the next one. */
type Block = { text: string; isItem: boolean };

/** Stores an image that was pasted with a text. Returns its path, or null if it is left out. */
type AddImage = (source: string, alt: string) => string | null;

/**
 * Converts text that an editor copied from Word, an email or a web page. It keeps structure, links,
 * bold and italic, and leaves out everything else, such as fonts and colors.
 */
export function htmlToMarkdown(html: string, addImage: AddImage): string {
  const { body } = new DOMParser().parseFromString(withoutStyles(html), "text/html");
  return toBlocks(body, addImage)
    .map(({ text, isItem }, index, all) => {
      if (index === 0) return text;
      return `${isItem && all[index - 1]?.isItem ? "\n" : "\n\n"}${text}`;
    })
    .join("");
}

const paragraph = (text: string): Block => ({ text, isItem: false });

function toBlocks(parent: Element, addImage: AddImage): Block[] {
  const blocks: Block[] = [];
  let line = "";
  const endLine = () => {
    const text = tidy(line);
    if (text !== "") blocks.push(paragraph(escapeStart(text)));
    line = "";
  };
  for (const node of parent.childNodes) {
    if (!(node instanceof Element)) {
      if (node instanceof Text) line += escapeMarks(node.data);
      continue;
    }
    const tag = node.localName;
    if (skippedTags.has(tag)) continue;
    if (blockTags.has(tag) || node.querySelector([...blockTags].join(","))) {
      endLine();
      blocks.push(...toBlock(node, addImage));
    } else line += toInline(node, addImage);
  }
  endLine();
  return blocks;
}

function toBlock(element: Element, addImage: AddImage): Block[] {
  const tag = element.localName;
  const level = /^h([1-6])$/.exec(tag)?.[1];
  if (level !== undefined) {
    const text = tidy(toInlines(element, addImage)).replaceAll("\n", " ").replaceAll("**", "");
    // The title of the story is the only heading of the first level.
    return text === "" ? [] : [paragraph(`${level < "3" ? "##" : "###"} ${text}`)];
  }
  if (tag === "ul" || tag === "ol") return toList(element, addImage);
  if (tag === "blockquote")
    return [paragraph(joinBlocks(toBlocks(element, addImage)).replaceAll(/^/gm, "> "))];
  if (tag === "table") return toTable(element, addImage);
  if (tag === "hr") return [paragraph("***")];
  const item = toWordItem(element, addImage);
  return item ? [item] : toBlocks(element, addImage);
}

const joinBlocks = (blocks: Block[]) => blocks.map(({ text }) => text).join("\n\n");

function toList(list: Element, addImage: AddImage): Block[] {
  return [...list.children].flatMap((item, index) => {
    const marker = list.localName === "ol" ? `${index + 1}. ` : "- ";
    const indent = " ".repeat(marker.length);
    // Google Docs puts a list inside a list directly, without an item around it.
    if (item.localName !== "li")
      return toBlock(item, addImage).map(({ text, isItem }) => ({
        text: text.replaceAll(/^/gm, "  "),
        isItem,
      }));
    const text = toBlocks(item, addImage)
      .map((block) => block.text)
      .join("\n");
    return text === ""
      ? []
      : [{ text: marker + text.replaceAll("\n", `\n${indent}`), isItem: true }];
  });
}

/** Word writes the items of a list as paragraphs that begin with their marker. */
function toWordItem(element: Element, addImage: AddImage): Block | null {
  if (!/MsoListParagraph/.test(element.className)) return null;
  const text = tidy(toInlines(element, addImage));
  const [, number, rest = text] = /^(?:(\d{1,3})[.)]|[·•o§▪-])?\s*([\s\S]*)$/.exec(text) ?? [];
  return { text: `${number === undefined ? "- " : `${number}. `}${rest}`, isItem: true };
}

function toTable(table: Element, addImage: AddImage): Block[] {
  const rows = [...table.querySelectorAll("tr")].map((row) =>
    [...row.children].map((cell) =>
      tidy(toInlines(cell, addImage)).replaceAll("\n", " ").replaceAll("|", "\\|"),
    ),
  );
  const [head, ...others] = rows;
  if (!head) return [];
  // A table of one column or one row only arranges the page.
  if (others.length === 0 || head.length < 2)
    return rows.flat().flatMap((cell) => (cell === "" ? [] : [paragraph(cell)]));
  const toRow = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [paragraph([head, head.map(() => "---"), ...others].map(toRow).join("\n"))];
}

const toInlines = (parent: Element, addImage: AddImage): string =>
  [...parent.childNodes]
    .map((node) =>
      node instanceof Element
        ? toInline(node, addImage)
        : node instanceof Text
          ? escapeMarks(node.data)
          : "",
    )
    .join("");

function toInline(element: Element, addImage: AddImage): string {
  const tag = element.localName;
  if (tag === "br") return "\n";
  if (skippedTags.has(tag)) return "";
  if (tag === "img") return toImage(element, addImage);
  const text = toInlines(element, addImage);
  const href = element.getAttribute("href") ?? "";
  if (tag === "a" && /^(?:https?:\/\/|mailto:|tel:)/i.test(href) && text.trim() !== "")
    return `[${text.trim()}](${href.replaceAll(" ", "%20").replaceAll(")", "%29")})`;
  if (isBold(element)) return mark(text, "**");
  return isItalic(element) ? mark(text, "*") : text;
}

function toImage(image: Element, addImage: AddImage): string {
  const alt = image.getAttribute("alt") ?? "";
  const path = addImage(image.getAttribute("src") ?? "", alt);
  return path === null ? "" : `![${alt.replaceAll(/[[\]]/g, "")}](${path})`;
}

/** Our Content Security Policy blocks styles, also in a document that is never shown. */
const withoutStyles = (html: string) =>
  html
    .replaceAll(/<style[\s\S]*?<\/style>/gi, "")
    .replaceAll(/<[a-z][^>]*>/gi, (tag) => tag.replaceAll(/\sstyle\s*=/gi, " data-style="));

const readStyle = (element: Element, pattern: RegExp) =>
  pattern.exec(element.getAttribute("data-style") ?? "")?.[1]?.toLowerCase();

/**
 * Google Docs wraps everything in a <b> of normal weight, and marks bold text only by its style.
 */
function isBold(element: Element): boolean {
  const weight = readStyle(element, /font-weight:\s*(\w+)/i);
  if (weight !== undefined) return weight === "bold" || Number(weight) >= 600;
  return element.localName === "b" || element.localName === "strong";
}

function isItalic(element: Element): boolean {
  const style = readStyle(element, /font-style:\s*(\w+)/i);
  if (style !== undefined) return style === "italic";
  return element.localName === "i" || element.localName === "em";
}

/** Marks a text. The spaces at its ends stay outside, where Markdown needs them. */
function mark(text: string, sign: string): string {
  const inner = text.trim();
  if (inner === "" || inner.includes("\n\n")) return text;
  const start = text.indexOf(inner);
  return `${text.slice(0, start)}${sign}${inner}${sign}${text.slice(start + inner.length)}`;
}

/** Escapes characters that Markdown would take for marks. */
const escapeMarks = (text: string) =>
  text
    .replaceAll(/[\s\u00a0]+/g, " ")
    .replaceAll(/[\\*[\]`<]/g, "\\$&")
    .replaceAll(/(?<!\w)_|_(?!\w)/g, "\\_");

const escapeStart = (text: string) =>
  text.replace(/^(#{1,6}|[-+>]) /, "\\$1 ").replace(/^(\d{1,9})([.)]) /, "$1\\$2 ");

const tidy = (line: string) =>
  line
    .replaceAll(/ *\n */g, "\n")
    .replaceAll(/ {2,}/g, " ")
    .trim();
