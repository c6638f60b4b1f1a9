import { type AnyFeed, parseFeed } from "feedsmith";

/** Further items are ignored. The newest come first, and only a broken feed has more than this. */
const maxItems = 200;

export type ParsedFeed = { kind: "feed"; feed: AnyFeed } | { kind: "not-a-feed" };

/** Parses a feed of any format. */
export function parse(text: string): ParsedFeed {
  const source = removeNames(removeDoctype(cleanSource(text)));
  try {
    return { kind: "feed", feed: parseFeed(source, { maxItems }) };
  } catch {
    return { kind: "not-a-feed" };
  }
}

/** Removes everything before the first tag or brace, and characters that XML does not allow. */
function cleanSource(text: string): string {
  const start = text.search(/[<{]/);
  return text.slice(Math.max(start, 0)).replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, "");
}

/** Removes the document type, whose entities may expand endlessly or read files. */
function removeDoctype(source: string): string {
  const start = /<!doctype/i.exec(source.slice(0, 5_000))?.index;
  if (start === undefined) return source;
  const close = source.indexOf(">", start);
  const subset = source.indexOf("[", start);
  const hasSubset = subset !== -1 && subset < close;
  const end = hasSubset ? source.slice(subset).search(/\]\s*>/) : close;
  if (end === -1) return source.slice(0, start);
  const lastIndex = hasSubset ? source.indexOf(">", subset + end) : end;
  return source.slice(0, start) + source.slice(lastIndex + 1);
}

/**
 * Matches the start of a person's name, or of a comment or CDATA section, because tags inside
 * comments and CDATA sections do not count.
 */
const landmark =
  /<(?:(!--)|(!\[CDATA\[)|(?:[\w.-]{1,40}:)?(author|managingeditor|webmaster)(?=[\s/>]))/gi;

/**
 * Removes the names of people from an XML feed. We do not use them, and the parser's time grows
 * with the square of the number of brackets in them.
 */
function removeNames(source: string): string {
  if (source.startsWith("{")) return source;
  const parts: string[] = [];
  let copiedUpTo = 0;
  landmark.lastIndex = 0;
  for (let match = landmark.exec(source); match; match = landmark.exec(source)) {
    const [, comment, cdata, person = ""] = match;
    const isText = comment !== undefined || cdata !== undefined;
    const end = isText
      ? source.indexOf(comment ? "-->" : "]]>", landmark.lastIndex)
      : findEndOfNext(source, person, landmark.lastIndex);
    // The rest is malformed, which the parser will report.
    if (end === -1) break;
    landmark.lastIndex = end;
    if (isText) continue;
    parts.push(source.slice(copiedUpTo, match.index));
    copiedUpTo = end;
  }
  return parts.join("") + source.slice(copiedUpTo);
}

/**
 * Returns the position after the next end tag with this name, or after the start tag of an empty
 * element (`<name/>`). Returns -1 if there is neither.
 */
function findEndOfNext(source: string, name: string, from: number): number {
  const startTagEnd = source.indexOf(">", from);
  if (startTagEnd === -1) return -1;
  if (source[startTagEnd - 1] === "/") return startTagEnd + 1;
  const endTag = new RegExp(`</(?:[\\w.-]{1,40}:)?${name}\\s{0,20}>`, "gi");
  endTag.lastIndex = startTagEnd;
  return endTag.test(source) ? endTag.lastIndex : -1;
}
