import type { VisitFailure } from "../../../lib/external/source-visits.server.ts";
import { decode } from "./decode.server.ts";
import { type Item, normalize } from "./normalize.server.ts";
import { parse } from "./parse.server.ts";

export type FeedDocument = { body: Uint8Array; type: string; url: string };
export type ReadResult = { kind: "items"; items: Item[] } | VisitFailure;

/** Decodes, parses and normalizes a feed. */
export function readItems({ body, type, url }: FeedDocument, now: Date): ReadResult {
  const text = decode(body, type);
  const parsed = parse(text);
  if (parsed.kind === "not-a-feed") {
    const failed = { kind: "failed", cause: "not-readable", waitMs: null } as const;
    const feedUrl = findFeedUrl(text, url);
    if (feedUrl !== null)
      return { ...failed, feedUrl, detail: `sent a web page; its feed is ${feedUrl}` };
    const detail = /html/i.test(type) ? "sent a web page" : "sent something that is not a feed";
    return { ...failed, detail };
  }
  const items = normalize(parsed, url, now);
  return items.length > 0
    ? { kind: "items", items }
    : {
        kind: "failed",
        cause: "empty",
        detail: "has no item with a title and a link",
        waitMs: null,
      };
}

/** The head of a page is in its first part. */
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
