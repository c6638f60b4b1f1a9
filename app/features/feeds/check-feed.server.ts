import { describeCause, toVisitResult } from "../../lib/external/source-visits.server.ts";
import type { CommandContext } from "../../platform/command.ts";
import { readInWorker } from "../sources/visit-source.server.ts";
import type { Item } from "./import/normalize.server.ts";
import { feedVisits } from "./import/refresh.server.ts";
import { feedTask } from "./tasks.server.ts";

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
    maxBytes: feedVisits.maxBytes,
    headers: { "User-Agent": userAgent, Accept: feedVisits.accept },
  });
  const now = context.clock();
  const visited = toVisitResult(response, { etag: null, lastModified: null, bodyHash: null }, now);
  // Without the validators of an earlier visit, no document is the same as before.
  if (visited.kind === "same") throw new Error("The first visit found an unchanged document.");
  const read =
    visited.kind === "new"
      ? await readInWorker(context.runInWorker, feedTask, { ...visited, now })
      : visited;
  const result = read.kind === "read" ? read.value : read;
  if (result.kind === "items")
    return {
      ok: true,
      items: result.items,
      movedTo: visited.kind === "new" ? visited.movedTo : null,
    };
  const { cause, detail, feedUrl } = result;
  const fault = `it ${describeCause(cause, detail)}`;
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
