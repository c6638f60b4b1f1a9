import { causeTexts, toVisitResult } from "../../lib/external/source-visits.server.ts";
import type { CommandContext } from "../../platform/command.ts";
import type { Item } from "./import/normalize.server.ts";
import { acceptFeeds, maxFeedBytes, readFeedInWorker } from "./import/refresh.server.ts";

/**
 * `--json` prints this type, so its keys must not change. If the URL is that of a web page,
 * `feedUrl` is the feed to which the page links.
 */
type FeedCheck =
  | { ok: true; items: Item[]; movedTo: string | null }
  | { ok: false; fault: string; feedUrl?: string };

/** Fetches a feed without storing anything. */
export async function checkFeed(
  context: CommandContext,
  url: string,
  userAgent: string,
): Promise<FeedCheck> {
  const response = await context.fetch(url, {
    maxBytes: maxFeedBytes,
    headers: { "User-Agent": userAgent, Accept: acceptFeeds },
  });
  const now = context.clock();
  const visited = toVisitResult(response, { etag: null, lastModified: null, bodyHash: null }, now);
  // Without the validators of an earlier visit, no document is the same as before.
  if (visited.kind === "same") throw new Error("The first visit found an unchanged document.");
  const result =
    visited.kind === "new" ? await readFeedInWorker(context.runInWorker, visited, now) : visited;
  if (result.kind === "items")
    return {
      ok: true,
      items: result.items,
      movedTo: visited.kind === "new" ? visited.movedTo : null,
    };
  const { cause, detail, feedUrl } = result;
  const fault = `it ${causeTexts[cause]} (${detail})`;
  return { ok: false, fault, ...(feedUrl === undefined ? {} : { feedUrl }) };
}

/** Does the same, but follows a web page to its feed. Returns the URL of the feed. */
export async function findFeed(context: CommandContext, url: string, userAgent: string) {
  const check = await checkFeed(context, url, userAgent);
  if (check.ok || check.feedUrl === undefined) return { url, check };
  context.print(`${url} is a web page. Its feed is ${check.feedUrl}`);
  return { url: check.feedUrl, check: await checkFeed(context, check.feedUrl, userAgent) };
}

/** The name of a source for which the editor has typed no name. */
export const toSourceName = (url: string) => new URL(url).hostname.replace(/^www\./, "");
