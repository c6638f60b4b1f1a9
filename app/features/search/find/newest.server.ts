import { type FeedRequest, feedKinds, maxFeedItems } from "../model.ts";
import { type Found, readFound, type SearchScope } from "./find.server.ts";
import { parseTerms, splitTerms } from "./parse.server.ts";
import { rank } from "./rank.server.ts";

/** A result of a search that readers follow. */
export type NewResult = Found & { at: Date };

/** Samples are left out after they were read, so more results are read than shown. */
const maxRead = 2 * maxFeedItems;

/**
 * Finds the newest stories, posts and headlines with all words of the query. Other kinds have no
 * date of publication. Unlike a search, it neither corrects the spelling nor accepts some of the
 * words, because those would fill the feed with texts about something else.
 */
export async function findNewest(
  scope: SearchScope,
  { query, kind }: FeedRequest,
): Promise<NewResult[]> {
  const { db, now, ownNames } = scope;
  const terms = await parseTerms(db, splitTerms(query), ownNames);
  if (terms.length === 0) return [];
  const kinds = kind === null ? feedKinds : [kind];
  const { ranked } = await rank(db, { terms, query, order: "newest", maxHeadlines: maxRead }, now);
  const newest = ranked
    .flatMap(({ id, kind, at }) =>
      at !== null && at <= now && kinds.some((each) => each === kind) ? [{ id, kind, at }] : [],
    )
    .sort((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, maxRead);
  const found = await readFound(scope, newest);
  return found
    .flatMap(({ at, ...result }) => (at && !result.isSample ? [{ ...result, at }] : []))
    .slice(0, maxFeedItems);
}
