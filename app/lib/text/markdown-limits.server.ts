/**
 * Bounds on a text that is to be parsed as Markdown, generous for people: five times the longest
 * article of any newspaper. The parser takes time with the square of blocks, of marks in one
 * paragraph and of nesting (measured: 25 KB of emphasis marks take ten seconds), so a text beyond
 * one of these bounds is never given to it.
 */
const parseLimits = {
  characters: 64 * 1024,
  /** With words in them, and all. */
  fullLines: 1_000,
  lines: 2_000,
  /** Signs that may begin something, such as * or [, in the whole text and in one paragraph. */
  marks: 6_000,
  marksInParagraph: 400,
  /** Quotes and lists that a line opens one in the other, and in all. */
  containersInLine: 8,
  containers: 1_500,
  indent: 40,
  openTags: 24,
};

/**
 * Within these bounds the parser takes about as long as for an article of 5 KB, whatever the text
 * is.
 */
const quickLimits: typeof parseLimits = {
  characters: 10_000,
  fullLines: 150,
  lines: 300,
  marks: 300,
  marksInParagraph: 60,
  containersInLine: 4,
  containers: 150,
  indent: 40,
  openTags: 8,
};

const marks = new Set([..."*_[]()`<>&!\\"].map((mark) => mark.charCodeAt(0)));

/** Whether a text can be parsed in reasonable time. */
export const isParsable = (source: string): boolean => isWithin(parseLimits, source);

/** Whether a text can be parsed so quickly that nobody has to wait for another thread. */
export const isQuickToParse = (source: string): boolean => isWithin(quickLimits, source);

/** Looks at every character a fixed number of times. */
function isWithin(bounds: typeof parseLimits, source: string): boolean {
  if (source.length > bounds.characters) return false;
  const lines = source.split("\n");
  if (lines.length > bounds.lines) return false;
  let [fullLines, allMarks, inParagraph, containers] = [0, 0, 0, 0];
  for (const line of lines) {
    if (line.trim() === "") inParagraph = 0;
    else fullLines += 1;
    const [here, opened] = [marksIn(line), containersOf(line)];
    inParagraph += here;
    allMarks += here;
    containers += opened;
    if (
      fullLines > bounds.fullLines ||
      allMarks > bounds.marks ||
      inParagraph > bounds.marksInParagraph ||
      containers > bounds.containers ||
      opened > bounds.containersInLine ||
      line.length - line.trimStart().length > bounds.indent
    )
      return false;
  }
  return openTagsIn(source) <= bounds.openTags;
}

function marksIn(line: string): number {
  let count = 0;
  for (let index = 0; index < line.length; index += 1)
    if (marks.has(line.charCodeAt(index))) count += 1;
  return count;
}

const container = /[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;

/** How many quotes and lists a line opens at its beginning. */
function containersOf(line: string): number {
  let count = 0;
  container.lastIndex = 0;
  while (container.test(line)) count += 1;
  return count;
}

const tag = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)/g;
/** These have no end, or end by themselves where the next begins. */
const endless = new Set([
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

/** The most elements that are open at once, if nothing closes but by its own name. */
function openTagsIn(source: string): number {
  const open: string[] = [];
  let most = 0;
  for (const [, slash, written = ""] of source.matchAll(tag)) {
    const name = written.toLowerCase();
    if (endless.has(name)) continue;
    if (slash === "") open.push(name);
    else if (open.at(-1) === name) open.pop();
    most = Math.max(most, open.length);
  }
  return most;
}
