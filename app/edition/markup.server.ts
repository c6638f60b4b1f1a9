import { decodeHTMLAttribute } from "entities";
import { escapeHtml } from "../lib/text/html.ts";

/** Attributes by their lowercase name, with decoded values. */
export type Attributes = Map<string, string>;

/** A piece of a document. The sources of all pieces together are the document. */
export type Piece =
  | { kind: "text" | "comment"; source: string }
  | { kind: "start"; source: string; name: string; attributes: Attributes; isVoid: boolean }
  | { kind: "end"; source: string; name: string };

const voidNames = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);
/** Elements whose content is text, even if it contains "<". */
const rawNames = new Set(["script", "style", "textarea", "title"]);

const tagName = /<\/?([a-z][^\s/>]*)/iy;
const attribute = /[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;

/**
 * Reads the HTML that we render ourselves: well-formed, with escaped text, as React and
 * rehype-stringify write it. Every character is read a fixed number of times.
 */
export function* readMarkup(html: string): Generator<Piece> {
  let at = 0;
  let rawName: string | null = null;
  while (at < html.length) {
    const open = html.indexOf(rawName === null ? "<" : `</${rawName}`, at);
    const textEnd = open === -1 ? html.length : open;
    if (textEnd > at) yield { kind: "text", source: html.slice(at, textEnd) };
    if (open === -1) return;
    rawName = null;

    tagName.lastIndex = open;
    const name = tagName.exec(html)?.[1]?.toLowerCase();
    if (name === undefined) {
      const isComment = html.startsWith("<!--", open);
      at = endOf(html, isComment ? "-->" : ">", open);
      yield { kind: isComment ? "comment" : "text", source: html.slice(open, at) };
      continue;
    }
    const isEnd = html[open + 1] === "/";
    const attributes = isEnd ? new Map() : readAttributes(html, tagName.lastIndex);
    at = endOf(html, ">", isEnd ? tagName.lastIndex : attribute.lastIndex);
    const source = html.slice(open, at);
    if (isEnd) {
      yield { kind: "end", source, name };
      continue;
    }
    const isVoid = voidNames.has(name) || source.endsWith("/>");
    if (rawNames.has(name)) rawName = name;
    yield { kind: "start", source, name, attributes, isVoid };
  }
}

/** Reads attributes up to the end of a tag, and leaves `attribute.lastIndex` there. */
function readAttributes(html: string, start: number): Attributes {
  const attributes: Attributes = new Map();
  let end = start;
  for (;;) {
    attribute.lastIndex = end;
    const match = attribute.exec(html);
    if (!match) break;
    end = attribute.lastIndex;
    const [, name = "", double, single, unquoted] = match;
    attributes.set(name.toLowerCase(), decodeHTMLAttribute(double ?? single ?? unquoted ?? ""));
  }
  attribute.lastIndex = end;
  return attributes;
}

function endOf(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at === -1 ? html.length : at + mark.length;
}

export function writeTag(name: string, attributes: Attributes): string {
  const list = [...attributes].map(([key, value]) =>
    value === "" ? ` ${key}` : ` ${key}="${escapeHtml(value)}"`,
  );
  return `<${name}${list.join("")}>`;
}
