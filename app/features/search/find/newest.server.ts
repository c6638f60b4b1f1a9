import { inArray } from "drizzle-orm";
import { headlines } from "../../feeds/schema.server.ts";
import { type FeedRequest, feedKinds, maxFeedItems } from "../model.ts";
import { searchDocuments } from "../schema.server.ts";
import type { SearchScope } from "./find.server.ts";
import { parseTerms, splitTerms } from "./parse.server.ts";
import { rank } from "./rank.server.ts";

/** A result of a search that readers follow. */
export type NewResult = {
  /** The id of a headline; null for a document, whose link never changes. */
  headlineId: string | null;
  title: string;
  link: string;
  summary: string;
  at: Date;
  /** The newsroom that published a headline; null for our own texts. */
  source: string | null;
};

/** Samples are left out after they were read, so more results are read than shown. */
const maxRead = 2 * maxFeedItems;

/**
 * Finds the newest stories, posts and headlines with all words of the query. Other kinds have no
 * date of publication. Unlike a search, it neither corrects the spelling nor accepts some of the
 * words, because those would fill the feed with texts about something else.
 */
export async function findNewest(
  { db, now, ownNames, getSourceName, toTitle }: SearchScope,
  { query, kind }: FeedRequest,
): Promise<NewResult[]> {
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
  const documentIds = newest.filter(({ kind }) => kind !== "headline").map(({ id }) => id);
  const headlineIds = newest.filter(({ kind }) => kind === "headline").map(({ id }) => Number(id));
  const { id, link, title, summary, isSample } = searchDocuments;
  const documentRows =
    documentIds.length === 0
      ? []
      : await db
          .select({ id, link, title, summary, isSample })
          .from(searchDocuments)
          .where(inArray(id, documentIds));
  const headlineRows =
    headlineIds.length === 0
      ? []
      : await db
          .select({
            id: headlines.id,
            link: headlines.link,
            title: headlines.title,
            summary: headlines.summary,
            sourceId: headlines.sourceId,
          })
          .from(headlines)
          .where(inArray(headlines.id, headlineIds));
  const documentsById = new Map(documentRows.map((row) => [row.id, row]));
  const headlinesById = new Map(headlineRows.map((row) => [String(row.id), row]));
  return newest
    .flatMap(({ id, kind, at }): NewResult[] => {
      const headline = kind === "headline" ? headlinesById.get(id) : undefined;
      if (headline) {
        const { link, title, summary } = headline;
        const source = getSourceName(headline.sourceId) ?? new URL(link).hostname;
        return [{ headlineId: id, title: toTitle(title), link, summary, at, source }];
      }
      const row = kind === "headline" ? undefined : documentsById.get(id);
      if (!row || row.isSample) return [];
      const { link, title, summary } = row;
      return [{ headlineId: null, title, link, summary, at, source: null }];
    })
    .slice(0, maxFeedItems);
}
