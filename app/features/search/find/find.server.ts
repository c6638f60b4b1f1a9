import { inArray, sql } from "drizzle-orm";
import { calendarDay, longDate } from "../../../lib/dates.ts";
import type { Services } from "../../../platform/services.ts";
import { type SiteSettings, siteSettingsFile } from "../../brand/files.server.ts";
import { listSectionSources, sectionsFile } from "../../feeds/files.server.ts";
import { readHeadlineStyle, type ToTitle } from "../../feeds/listing/select.server.ts";
import { headlines } from "../../feeds/schema.server.ts";
import { respell } from "../index/spelling.server.ts";
import {
  type FeedRequest,
  feedKinds,
  kindNames,
  kinds,
  type Match,
  maxCounted,
  maxFeedItems,
  minSuggestLetters,
  pageSize,
  type SearchRequest,
  type Suggestion,
} from "../model.ts";
import { searchDocuments } from "../schema.server.ts";
import { createExcerpt, createHitFinder, splitAtHits } from "./highlight.server.ts";
import {
  normalizeWord,
  type ParsedTerm,
  parseTerms,
  splitTerms,
  wordPattern,
} from "./parse.server.ts";
import { type Ranked, type Ranking, rank } from "./rank.server.ts";

export type SearchScope = Pick<Services, "db"> & {
  now: Date;
  timeZone: string;
  /** Returns the name of a headline's source, or null if sections.yaml no longer has the source. */
  getSourceName(id: string): string | null;
  toTitle: ToTitle;
  /** The words of the site's name. They match only a full word of the query, never a prefix. */
  ownNames: string[];
};

export function createSearchScope({
  db,
  clock,
  site,
}: Pick<Services, "db" | "clock" | "site">): SearchScope {
  const brand = site.read(siteSettingsFile);
  const names = new Map(
    Object.values(site.read(sectionsFile).sections)
      .flatMap(listSectionSources)
      .map(({ id, name }) => [id, name]),
  );
  return {
    db,
    now: clock(),
    timeZone: brand.timeZone,
    ownNames: listOwnNames(brand),
    getSourceName: (id) => names.get(id) ?? null,
    toTitle: readHeadlineStyle(site).toTitle,
  };
}

/**
 * The words of the site's names. The name of the city is not among them, because readers search for
 * it even though it is a part of the site's name.
 */
function listOwnNames({ name, shortName, network, city }: SiteSettings): string[] {
  const toWords = (text: string) => new Set(normalizeWord(text).match(wordPattern));
  return [...toWords([name, shortName, network.name].join(" ")).difference(toWords(city))];
}

/**
 * Finds documents with all words of the query. If there are none, the search tries the nearest
 * spelling, and then documents with at least half of the words.
 */
export async function search(scope: SearchScope, request: SearchRequest) {
  const { page: requestedPage } = request;
  const { match, terms, ranked, headlineCount } = await findMatches(
    scope,
    request.query,
    Math.min(requestedPage * pageSize, maxCounted),
  );
  const byKind = Map.groupBy(ranked, ({ kind }) => kind);
  const counts = kinds.flatMap((kind) => {
    const count = kind === "headline" ? headlineCount : (byKind.get(kind)?.length ?? 0);
    return count > 0 ? [{ kind, count }] : [];
  });
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  // A kind without results is ignored.
  const kind = request.kind !== null && byKind.has(request.kind) ? request.kind : null;
  const selectedCount = counts.find((each) => each.kind === kind)?.count ?? total;
  const pages = Math.max(1, Math.ceil(Math.min(selectedCount, maxCounted) / pageSize));
  const page = Math.min(requestedPage, pages);
  const selected = kind === null ? ranked : (byKind.get(kind) ?? []);
  const shown = selected.slice((page - 1) * pageSize, page * pageSize);
  const results = await highlight(scope, await readFound(scope, shown), terms);
  return { match, counts, total, kind, page, pages, results };
}

export type ResultPage = Awaited<ReturnType<typeof search>>;

type Matches = Ranking & { match: Match; terms: ParsedTerm[] };

async function findMatches(
  { db, now, ownNames }: SearchScope,
  query: string,
  maxHeadlines: number,
): Promise<Matches> {
  const terms = await parseTerms(db, splitTerms(query), ownNames);
  const none = { ranked: [], headlineCount: 0 };
  if (terms.length === 0) return { match: { kind: "none" }, terms, ...none };
  const ranking = await rank(db, { terms, query, maxHeadlines }, now);
  if (ranking.ranked.length > 0) return { match: { kind: "all" }, terms, ...ranking };
  // Nearly every document has some of the most common words, so a search for only some of them
  // would read everything and find nothing useful.
  if (terms.every(({ isCommon }) => isCommon)) return { match: { kind: "none" }, terms, ...none };
  const respelled = await respell(db, query, terms);
  if (respelled !== null) {
    const newTerms = await parseTerms(db, splitTerms(respelled), ownNames);
    const newRanking = await rank(db, { terms: newTerms, query: respelled, maxHeadlines }, now);
    if (newRanking.ranked.length > 0)
      return { match: { kind: "respelled", query: respelled }, terms: newTerms, ...newRanking };
  }
  const minTerms = Math.ceil(terms.length / 2);
  const withSome =
    terms.length > 1 ? await rank(db, { terms, minTerms, query, maxHeadlines }, now) : none;
  return { match: { kind: withSome.ranked.length > 0 ? "some" : "none" }, terms, ...withSome };
}

const maxSuggestions = 7;

/** Returns titles that contain all words of the query, or words that begin with them. */
export async function suggest(scope: SearchScope, query: string): Promise<Suggestion[]> {
  const { db, now, ownNames } = scope;
  const allTerms = splitTerms(query);
  // If the last word has only one letter so far, it is ignored.
  const usefulTerms =
    allTerms.at(-1)?.words.join("").length === 1 && allTerms.length > 1
      ? allTerms.slice(0, -1)
      : allTerms;
  const terms = await parseTerms(db, usefulTerms, ownNames, minSuggestLetters);
  if (terms.length === 0) return [];
  const { ranked } = await rank(
    db,
    { terms, query, titlesOnly: true, maxHeadlines: maxSuggestions },
    now,
  );
  const found = await readFound(scope, ranked.slice(0, maxSuggestions));
  return found.map(({ kind, title, link, detail, isSample }) => ({
    title,
    link,
    kind: kind === "headline" ? detail : kindNames[kind].one,
    isSample,
  }));
}

async function highlight({ db, timeZone }: SearchScope, found: Found[], terms: ParsedTerm[]) {
  const texts = found.flatMap(({ title, text }) => [title, text]);
  const findHits = await createHitFinder(db, terms, texts);
  return found.map(({ id, kind, link, detail, isSample, at, title, text }) => ({
    id,
    kind,
    link,
    detail,
    isSample,
    // The detail of an event already contains its date.
    time:
      at && kind !== "event"
        ? { iso: at.toISOString(), shown: longDate(calendarDay(at, timeZone)) }
        : null,
    title: splitAtHits(title, findHits(title)),
    snippet: createExcerpt(text, findHits),
  }));
}

/** A result with its texts. The `detail` of a headline is the name of its source. */
type Found = Pick<Ranked, "kind" | "id" | "at"> &
  Record<"link" | "title" | "summary" | "text" | "detail", string> & { isSample: boolean };

/** Words after this many characters of a text are not highlighted. */
const maxTextLength = 20_000;

async function readFound(
  { db, getSourceName, toTitle }: SearchScope,
  ranked: Pick<Ranked, "kind" | "id" | "at">[],
): Promise<Found[]> {
  const { headline: headlineResults = [], document: documentResults = [] } = Object.groupBy(
    ranked,
    ({ kind }) => (kind === "headline" ? "headline" : "document"),
  );
  const { id, link, title, detail, summary, body, isSample } = searchDocuments;
  const text = sql<string>`left(${summary} || ' ' || ${body}, ${maxTextLength})`;
  const documentRows = await db
    .select({ id, link, title, detail, summary, text, isSample })
    .from(searchDocuments)
    .where(
      inArray(
        id,
        documentResults.map((each) => each.id),
      ),
    );
  const headlineRows = await db
    .select({
      id: headlines.id,
      link: headlines.link,
      title: headlines.title,
      summary: headlines.summary,
      sourceId: headlines.sourceId,
    })
    .from(headlines)
    .where(
      inArray(
        headlines.id,
        headlineResults.map((each) => Number(each.id)),
      ),
    );
  const documentsById = new Map(documentRows.map((row) => [row.id, row]));
  const headlinesById = new Map(
    headlineRows.map(({ id, link, title, summary, sourceId }) => [
      String(id),
      {
        link,
        title: toTitle(title),
        summary,
        text: summary,
        detail: getSourceName(sourceId) ?? new URL(link).hostname,
        isSample: false,
      },
    ]),
  );
  return ranked.flatMap(({ kind, id, at }) => {
    const row = (kind === "headline" ? headlinesById : documentsById).get(id);
    return row ? [{ ...row, kind, id, at }] : [];
  });
}

export type NewResult = Found & { at: Date };

/** More results are read than shown, because samples are left out afterwards. */
const maxRead = 2 * maxFeedItems;

/**
 * Finds the newest stories, posts and headlines with all words of the query; other kinds have no
 * date of publication. Unlike a search, it neither corrects the spelling nor accepts results with
 * only some of the words, because these would fill the feed with texts about something else.
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
