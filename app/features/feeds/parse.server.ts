import { type AnyFeed, MalformedError, parseFeed } from "feedsmith";

/** Read no further than this: no newsroom has more news, but a broken script may. */
export const maxItems = 200;

export type ParsedFeed = { kind: "feed"; feed: AnyFeed } | { kind: "not-a-feed" };

/** Finds out what kind of feed a text is, and reads it. What is broken in it takes only the broken items away. */
export function parse(text: string): ParsedFeed {
  const source = withoutDoctype(cleaned(text));
  const whole = attempt(source);
  if (whole !== "broken") return whole;
  return salvage(source);
}

function attempt(source: string): ParsedFeed | "broken" {
  try {
    return { kind: "feed", feed: parseFeed(source, { maxItems }) };
  } catch (error) {
    return error instanceof MalformedError ? "broken" : { kind: "not-a-feed" };
  }
}

/** Whatever stands before the first tag or brace, and characters that XML does not know. */
function cleaned(text: string): string {
  const start = text.search(/[<{]/);
  return text.slice(Math.max(start, 0)).replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, "");
}

/** A document type may declare entities that grow without end, or that read files. No feed needs one. */
function withoutDoctype(source: string): string {
  const start = /<!doctype/i.exec(source.slice(0, 5_000))?.index;
  if (start === undefined) return source;
  const close = source.indexOf(">", start);
  const subset = source.indexOf("[", start);
  const isInternal = subset !== -1 && subset < close;
  const end = isInternal ? source.slice(subset).search(/\]\s*>/) : close;
  if (end === -1) return source.slice(0, start);
  const after = isInternal ? source.indexOf(">", subset + end) : end;
  return source.slice(0, start) + source.slice(after + 1);
}

/** A feed that is broken somewhere: its head as far as it goes, and each item on its own. */
function salvage(source: string): ParsedFeed {
  const root = /<(rss|rdf:RDF|feed)\b[^>]*>/i.exec(source);
  if (!root) return { kind: "not-a-feed" };
  const [opening, name = ""] = root;
  const isAtom = name.toLowerCase() === "feed";
  const items = pieces(source, isAtom ? "entry" : "item").filter(
    (item) => attempt(wrapped(opening, name, item)) !== "broken",
  );
  const link = /<link>\s*(https?:[^<\s]+)\s*<\/link>/i.exec(source.slice(0, 5_000))?.[0] ?? "";
  const mended = attempt(wrapped(opening, name, (isAtom ? "" : link) + items.join("")));
  return mended === "broken" ? { kind: "not-a-feed" } : mended;
}

function wrapped(opening: string, name: string, content: string): string {
  return name.toLowerCase() === "rss"
    ? `${opening}<channel>${content}</channel></${name}>`
    : `${opening}${content}</${name}>`;
}

/** Every stretch of the text from `<item` to the next `</item>`. */
function pieces(source: string, name: string): string[] {
  const found: string[] = [];
  const opening = new RegExp(`<${name}[\\s>]`, "gi");
  const closing = new RegExp(`</${name}\\s*>`, "gi");
  for (let start = opening.exec(source); start && found.length < maxItems; start = opening.exec(source)) {
    closing.lastIndex = opening.lastIndex;
    const end = closing.exec(source);
    if (!end) break;
    found.push(source.slice(start.index, closing.lastIndex));
    opening.lastIndex = closing.lastIndex;
  }
  return found;
}
