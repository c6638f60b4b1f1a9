import type { VisitFailure } from "../../../lib/external/source-visits.server.ts";
import { type Item, normalize } from "./normalize.server.ts";
import { parse } from "./parse.server.ts";

export type FeedDocument = { body: Uint8Array; type: string; url: string };
export type ReadResult = { kind: "items"; items: Item[] } | VisitFailure;

export function readItems({ body, type, url }: FeedDocument, now: Date): ReadResult {
  const text = decode(body, type);
  const parsed = parse(text);
  if (parsed.kind === "not-a-feed") {
    const failed = { kind: "failed", cause: "not-readable" } as const;
    const feedUrl = findFeedUrl(text, url);
    if (feedUrl !== null)
      return { ...failed, feedUrl, detail: `sent a web page; its feed is ${feedUrl}` };
    const detail = /html/i.test(type) ? "sent a web page" : "sent something that is not a feed";
    return { ...failed, detail };
  }
  const items = normalize(parsed, url, now);
  return items.length > 0
    ? { kind: "items", items }
    : { kind: "failed", cause: "empty", detail: "has no item with a title and a link" };
}

/** How much of a page is searched for a feed. The head of a page is at its beginning. */
const maxHeadLength = 200_000;

/** Finds the feed that a web page names with `<link rel="alternate">`. */
function findFeedUrl(page: string, url: string): string | null {
  for (const [tag] of page.slice(0, maxHeadLength).matchAll(/<link\s[^<>]{1,2000}>/gi)) {
    const attribute = (name: string) =>
      new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i")
        .exec(tag)
        ?.slice(1)
        .find((value) => value !== undefined);
    const isFeed =
      /\balternate\b/i.test(attribute("rel") ?? "") &&
      /^application\/(?:rss|atom|feed)\+(?:xml|json)/i.test(attribute("type")?.trim() ?? "");
    const feed = isFeed ? URL.parse(decodeAmpersands(attribute("href") ?? ""), url) : null;
    if (feed && /^https?:$/.test(feed.protocol) && feed.href !== url) return feed.href;
  }
  return null;
}

const decodeAmpersands = (attribute: string) => attribute.trim().replaceAll("&amp;", "&");

/**
 * Decodes a document. Its bytes show the encoding more reliably than the charset that the document
 * or the server declares, so they are checked first.
 */
export function decode(bytes: Uint8Array, contentType: string): string {
  const [b0, b1, b2] = bytes;
  if (b0 === 0xef && b1 === 0xbb && b2 === 0xbf) return decodeAs(bytes, "utf-8");
  if (b0 === 0xff && b1 === 0xfe) return decodeAs(bytes, "utf-16le");
  if (b0 === 0xfe && b1 === 0xff) return decodeAs(bytes, "utf-16be");
  // In UTF-16, the first character ("<", "{" or a space) takes two bytes, one of which is zero.
  if (b0 !== undefined && b0 !== 0 && b1 === 0) return decodeAs(bytes, "utf-16le");
  if (b0 === 0 && b1 !== undefined && b1 !== 0) return decodeAs(bytes, "utf-16be");

  const label =
    findXmlEncoding(bytes) ?? /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  // Text in UTF-16 or UTF-32 has zeros in its first bytes. This text has none, so such a label is
  // wrong.
  const charset = /^(?:utf-?(?:16|32)|ucs-?[24]|iso-10646-ucs)/i.test(label) ? "utf-8" : label;
  const isUtf8 = /^utf-?8$|^us-ascii$/i.test(charset);
  // Text in another encoding is hardly ever valid UTF-8 by chance, except in 7-bit encodings.
  if (isUtf8 || !/2022|utf-7|^hz/i.test(charset)) {
    const text = decodeStrictUtf8(bytes);
    if (text !== null) return text;
  }
  if (!isUtf8) return decodeAs(bytes, charset.replace(/^iso-?8859-1$/i, "windows-1252"));
  // The bytes are not valid UTF-8: either UTF-8 with a few broken characters, or another encoding.
  const text = decodeAs(bytes, "utf-8");
  const brokenCount = text.split("�").length - 1;
  const intactCount = text.match(/[^\0-\x7f�]/g)?.length ?? 0;
  return brokenCount > intactCount ? decodeAs(bytes, "windows-1252") : text;
}

function findXmlEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  return /<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/i.exec(start)?.[1];
}

function decodeStrictUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function decodeAs(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    // TextDecoder does not know this label. In windows-1252, at least every byte is a character.
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
