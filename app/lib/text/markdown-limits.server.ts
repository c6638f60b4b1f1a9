/**
 * Limits for a text that is parsed as Markdown. They are generous for people: five times the
 * longest article of any newspaper. Parsing time grows with the square of the number of blocks, of
 * markup characters per paragraph and of nesting levels (25 KB of emphasis marks took ten seconds),
 * so a text that exceeds one of these limits is not parsed.
 */
const parseLimits = {
  characters: 64 * 1024,
  /** Lines that are not empty. */
  nonEmptyLines: 1_000,
  /** All lines. */
  lines: 2_000,
  /** Characters in the whole text that may begin markup, such as * or [. */
  marks: 6_000,
  /** The same characters in one paragraph. */
  marksInParagraph: 400,
  /** Nested quotes and lists that one line opens. */
  containersInLine: 8,
  /** Quotes and lists in the whole text. */
  containers: 1_500,
  /** White space at the beginning of a line, in characters. */
  indent: 40,
  /** HTML elements that are open at the same time. */
  openTags: 24,
};

/**
 * Within these limits the parser takes about as long as for an article of 5 KB, whatever the text
 * is.
 */
const quickLimits: typeof parseLimits = {
  characters: 10_000,
  nonEmptyLines: 150,
  lines: 300,
  marks: 300,
  marksInParagraph: 60,
  containersInLine: 4,
  containers: 150,
  indent: 40,
  openTags: 8,
};

const marks = new Set([..."*_[]()`<>&!\\"].map((mark) => mark.charCodeAt(0)));

/** Whether Markdown can be parsed in reasonable time. */
export const isParsable = (source: string): boolean => isWithinLimits(parseLimits, source);

/** Whether Markdown can be parsed so quickly that no worker thread is needed. */
export const isQuickToParse = (source: string): boolean => isWithinLimits(quickLimits, source);

/** Reads every character a fixed number of times. */
function isWithinLimits(limits: typeof parseLimits, source: string): boolean {
  if (source.length > limits.characters) return false;
  const lines = source.split("\n");
  if (lines.length > limits.lines) return false;
  let [nonEmptyLines, allMarks, paragraphMarks, containers] = [0, 0, 0, 0];
  for (const line of lines) {
    if (line.trim() === "") paragraphMarks = 0;
    else nonEmptyLines += 1;
    const [lineMarks, opened] = [countMarks(line), countContainers(line)];
    paragraphMarks += lineMarks;
    allMarks += lineMarks;
    containers += opened;
    if (
      nonEmptyLines > limits.nonEmptyLines ||
      allMarks > limits.marks ||
      paragraphMarks > limits.marksInParagraph ||
      containers > limits.containers ||
      opened > limits.containersInLine ||
      line.length - line.trimStart().length > limits.indent
    )
      return false;
  }
  return countOpenTags(source) <= limits.openTags;
}

function countMarks(line: string): number {
  let count = 0;
  for (let index = 0; index < line.length; index += 1)
    if (marks.has(line.charCodeAt(index))) count += 1;
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

const tag = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)/g;
/** Elements without an end tag, or whose end tag may be omitted. */
const withoutEndTag = new Set([
  "br",
  "hr",
  "img",
  "p",
  "li",
  "dt",
  "dd",
  "tr",
  "td",
  "th",
  "wbr",
  "input",
  "meta",
  "link",
]);

/**
 * Returns the maximum number of elements that are open at the same time, if every element is closed
 * only by its own end tag.
 */
function countOpenTags(source: string): number {
  const open: string[] = [];
  let max = 0;
  for (const [, slash, written = ""] of source.matchAll(tag)) {
    const name = written.toLowerCase();
    if (withoutEndTag.has(name)) continue;
    if (slash === "") open.push(name);
    else if (open.at(-1) === name) open.pop();
    max = Math.max(max, open.length);
  }
  return max;
}
