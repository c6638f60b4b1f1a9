import { blockElements } from "./html-blocks.server.ts";

/**
 * Limits for a text that is parsed as Markdown. For most texts the time grows with their length.
 * For some it grows with the square of one of these numbers: 25 KB of emphasis marks in one
 * paragraph take ten seconds. Such a text is not parsed.
 */
type Limits = {
  characters: number;
  lines: number;
  /** Lines that are not empty. */
  nonEmptyLines: number;
  /** Characters that may begin markup, such as * or &, in the whole text. */
  marks: number;
  /** Emphasis marks and brackets in one paragraph or list item. */
  marksInParagraph: number;
  /** Nested quotes and lists that one line opens. */
  containersInLine: number;
  /** Quotes and list items in the whole text. */
  containers: number;
  quotes: number;
  /** Headings with a line of === or --- below them. */
  underlines: number;
  /** Cells of tables. A row that is too short is filled up with empty cells. */
  cells: number;
  /** White space at the beginning of a line, in characters. */
  indent: number;
  /** HTML tags in the whole text. */
  tags: number;
  /** HTML elements that are open at the same time. */
  openTags: number;
};

/**
 * What the server's own thread may parse, whatever the text is. It takes about as long as an
 * article of 5 KB.
 */
const quickLimits: Limits = {
  characters: 10_000,
  lines: 300,
  nonEmptyLines: 150,
  marks: 300,
  marksInParagraph: 60,
  containersInLine: 4,
  containers: 150,
  quotes: 150,
  underlines: 50,
  cells: 300,
  indent: 40,
  tags: 1_000,
  openTags: 8,
};

/** Limits for a text within the settings, such as an answer of the FAQ. */
const shortLimits: Limits = {
  characters: 64 * 1024,
  lines: 2_000,
  nonEmptyLines: 1_000,
  marks: 6_000,
  marksInParagraph: 400,
  containersInLine: 8,
  containers: 1_500,
  quotes: 1_000,
  underlines: 300,
  cells: 3_000,
  indent: 40,
  tags: 2_000,
  openTags: 24,
};

/**
 * Limits for a text that is parsed in a worker thread, where a second does not matter. The longest
 * articles have a tenth of this. The deadline of the worker's task is the second line of defense.
 */
const longLimits: Limits = {
  characters: 1_000_000,
  lines: 30_000,
  nonEmptyLines: 15_000,
  marks: 60_000,
  marksInParagraph: 3_000,
  containersInLine: 12,
  containers: 4_000,
  quotes: 2_000,
  underlines: 1_000,
  cells: 20_000,
  indent: 200,
  tags: 50_000,
  openTags: 200,
};

/** Whether Markdown can be parsed so quickly that no worker thread is needed. */
export const isQuickToParse = (source: string): boolean => isWithinLimits(quickLimits, source);

/** Whether Markdown within the settings can be parsed in reasonable time. */
export const isShort = (source: string): boolean => isWithinLimits(shortLimits, source);

/** Whether Markdown can be parsed in a worker thread before the deadline of its task. */
export const isParsable = (source: string): boolean => isWithinLimits(longLimits, source);

/** Reads every character a fixed number of times. */
function isWithinLimits(limits: Limits, source: string): boolean {
  if (source.length > limits.characters) return false;
  const lines = source.replace(/^\ufeff/, "").split(/\r\n?|\n/);
  if (lines.length > limits.lines) return false;
  const markdownLines = findMarkdownLines(lines);
  let [nonEmptyLines, allMarks, paragraphMarks] = [0, 0, 0];
  let [containers, quotes, underlines, columns, cells] = [0, 0, 0, 0, 0];
  let isParagraphStart = true;
  let itemIndent: number | null = null;
  for (const [index, line] of lines.entries()) {
    const isEmpty = emptyLine.test(line);
    if (!isEmpty) nonEmptyLines += 1;
    if (nonEmptyLines > limits.nonEmptyLines) return false;
    if (isEmpty || !markdownLines[index]) {
      paragraphMarks = 0;
      columns = 0;
      isParagraphStart = true;
      continue;
    }
    const nextIndent = findItemIndent(line, itemIndent, isParagraphStart);
    if (nextIndent !== null) paragraphMarks = 0;
    if (isParagraphStart && quoteStart.test(line)) quotes += 1;
    if (nextIndent !== null || isParagraphStart) itemIndent = nextIndent;
    isParagraphStart = false;
    const opened = countContainers(line);
    paragraphMarks += countCharacters(line, delimiters);
    allMarks += countCharacters(line, marks);
    containers += opened;
    if (underline.test(line)) underlines += 1;
    if (tableStart.test(line)) columns = Math.max(columns, line.split("|").length);
    cells += columns;
    if (
      allMarks > limits.marks ||
      paragraphMarks > limits.marksInParagraph ||
      containers > limits.containers ||
      quotes > limits.quotes ||
      opened > limits.containersInLine ||
      underlines > limits.underlines ||
      cells > limits.cells ||
      line.length - line.trimStart().length > limits.indent
    )
      return false;
  }
  return hasFewTags(limits, source);
}

/**
 * Returns for each line whether it can contain Markdown: lines in code blocks and HTML blocks cannot.
 * Only blocks that begin at the left margin are recognized, because nothing before such a line can
 * change what it begins. If another line may begin a block, we cannot tell where that block ends, so
 * all lines count as Markdown.
 */
function findMarkdownLines(lines: string[]): boolean[] {
  const all = lines.map(() => true);
  const found: boolean[] = [];
  let fence: string | null = null;
  let isInHtml = false;
  for (const line of lines) {
    const isInBlock = fence !== null || isInHtml;
    if (fence !== null) {
      if (isFenceEnd(line, fence)) fence = null;
    } else if (isInHtml) isInHtml = !emptyLine.test(line);
    else {
      fence = fenceStart.exec(line)?.[1] ?? null;
      isInHtml = blockTag.test(line);
      if (fence === null && !isInHtml && uncertainStart.test(line)) return all;
    }
    found.push(!isInBlock && fence === null && !isInHtml);
  }
  return found;
}

const listItem = /^( *)(?:[-+*]|(\d{1,9})[.)])[ \t]+\S/;
/** The item of a nested list is indented by at most this many spaces more than the outer item. */
const maxNestedIndent = 5;

/**
 * Returns the indent of the list item that a line begins, or null. Text that only looks like an
 * item continues the paragraph before it: it is indented too far, or its number is not 1.
 */
function findItemIndent(
  line: string,
  lastIndent: number | null,
  isParagraphStart: boolean,
): number | null {
  const item = listItem.exec(line);
  if (!item) return null;
  const [, spaces = "", number] = item;
  if (spaces.length > (lastIndent ?? -2) + maxNestedIndent) return null;
  const canInterrupt = number === undefined || Number(number) === 1;
  return canInterrupt || isParagraphStart || lastIndent !== null ? spaces.length : null;
}

/** In Markdown, no other white space makes a line empty. */
const emptyLine = /^[ \t]*$/;
const blockTag = new RegExp(`^</?(?:${blockElements})(?=[ \\t>]|/>|$)`, "i");
const fenceStart = /^(`{3,}(?=[^`]*$)|~{3,})/;
/**
 * An indented code fence, an indented tag, or a tag that begins an HTML block only in some places
 * or that begins one which does not end at an empty line. Links such as <https://…> begin none.
 */
const uncertainStart = /^[ \t]*(?:`{3}|~{3}|<[/!?]|<[a-z](?![a-z0-9+.-]*:))/i;
const quoteStart = /^ {0,3}>/;
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** The line between the header of a table and its rows. */
const tableStart = /^[ \t>|:-]*-[ \t>|:]*$/;
const fenceEnd = /^ {0,3}(`+|~+)[ \t]*$/;

const isFenceEnd = (line: string, fence: string): boolean =>
  fenceEnd.exec(line)?.[1]?.startsWith(fence) ?? false;

const toCodes = (characters: string) =>
  new Set([...characters].map((character) => character.charCodeAt(0)));
const marks = toCodes("*_[]()`<>&!\\");
/** Marks that the parser compares with each other. */
const delimiters = toCodes("*_[]");

function countCharacters(line: string, codes: ReadonlySet<number>): number {
  let count = 0;
  for (let index = 0; index < line.length; index += 1)
    if (codes.has(line.charCodeAt(index))) count += 1;
  return count;
}

const container = /[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;

/** Counts the quotes and lists that a line opens at its beginning. */
function countContainers(line: string): number {
  let count = 0;
  container.lastIndex = 0;
  while (container.test(line)) count += 1;
  return count;
}

const tagOrComment = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)(?![a-zA-Z0-9:])|<!--|<[!?]|-->|>/g;
/** Elements without an end tag, or whose end tag may be omitted. */
const withoutEndTag = new Set(
  "area base br col colgroup dd dt embed hr img input li link meta option p param source tbody td tfoot th thead tr track wbr".split(
    " ",
  ),
);

function hasFewTags(limits: Limits, source: string): boolean {
  const open: string[] = [];
  let tags = 0;
  /** What ends the comment or declaration that we are in; null if we are in none. */
  let commentEnd: "-->" | ">" | null = null;
  let openBeforeComment = 0;
  for (const [text, slash, written] of source.matchAll(tagOrComment)) {
    if (written === undefined) {
      // A comment may end with -->, which also ends a declaration.
      if (commentEnd !== null && text.endsWith(commentEnd)) commentEnd = null;
      else if (commentEnd === null && text.startsWith("<")) {
        commentEnd = text === "<!--" ? "-->" : ">";
        openBeforeComment = open.length;
      }
      continue;
    }
    tags += 1;
    const name = written.toLowerCase();
    if (slash === "" && !withoutEndTag.has(name)) open.push(name);
    // Elements are not always closed in the reverse order. An end tag in a comment closes nothing
    // that was opened before the comment.
    const index = slash === "" ? -1 : open.lastIndexOf(name);
    if (index >= (commentEnd === null ? 0 : openBeforeComment)) open.splice(index, 1);
    if (tags > limits.tags || open.length > limits.openTags) return false;
  }
  return true;
}
