import type { VisitFailure } from "../../../lib/external/source-visits.server.ts";
import type { FetchedDocument } from "../../sources/visit-source.server.ts";
import { type Item, normalize } from "./normalize.server.ts";
import { parse } from "./parse.server.ts";

export type ReadResult = { kind: "items"; items: Item[] } | VisitFailure;

export function readItems({ body, type, url }: FetchedDocument, now: Date): ReadResult {
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
 * Decodes a document. UTF-8 comes first, whatever the document or the server declares, because text
 * in another encoding is hardly ever valid UTF-8 by chance.
 */
export function decode(bytes: Uint8Array, contentType: string): string {
  const [b0, b1] = bytes;
  if (b0 === 0xff && b1 === 0xfe) return decodeAs(bytes, "utf-16le");
  if (b0 === 0xfe && b1 === 0xff) return decodeAs(bytes, "utf-16be");
  const text = decodeStrictUtf8(bytes);
  if (text !== null) return text;
  const charset = findXmlEncoding(bytes) ?? /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1];
  const isUtf8 = charset === undefined || /^utf-?8$/i.test(charset);
  if (!isUtf8) return decodeAs(bytes, charset);
  // The bytes are not valid UTF-8: either UTF-8 with a few broken characters, or another encoding.
  const lenient = decodeAs(bytes, "utf-8");
  const brokenCount = lenient.split("�").length - 1;
  const intactCount = lenient.match(/[^\0-\x7f�]/g)?.length ?? 0;
  return brokenCount > intactCount ? decodeAs(bytes, "windows-1252") : lenient;
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
