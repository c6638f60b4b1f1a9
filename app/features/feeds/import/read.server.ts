import type { VisitResult } from "../../../lib/external/source-visits.server.ts";
import { decode } from "./decode.server.ts";
import { type Item, normalize } from "./normalize.server.ts";
import { parse } from "./parse.server.ts";

export type FeedDocument = { body: Uint8Array; type: string; url: string };
export type ReadResult =
  | { kind: "items"; items: Item[] }
  | Extract<VisitResult, { kind: "failed" }>;

/** Decodes, parses and normalizes a feed. */
export function readItems({ body, type, url }: FeedDocument, now: Date): ReadResult {
  const parsed = parse(decode(body, type));
  if (parsed.kind === "not-a-feed") {
    const detail = /html/i.test(type) ? "sent a web page" : "sent something that is not a feed";
    return { kind: "failed", cause: "not-readable", detail, waitMs: null };
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
