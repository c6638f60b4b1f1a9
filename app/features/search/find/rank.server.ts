import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { headlines } from "../../feeds/schema.server.ts";
import { type Kind, maxCounted } from "../model.ts";
import { searchDocuments } from "../schema.server.ts";
import { listHiddenWords, matches, type ParsedTerm, selectVisibleWords } from "./parse.server.ts";

/** A result with its score. The text of the result is read only if it is shown. */
export type Ranked = { kind: Kind; id: string; score: number; at: Date | null };

type RankInput = {
  terms: ParsedTerm[];
  /** The number of terms that a result must have. By default, all of them. */
  minTerms?: number;
  query: string;
  /** Whether the terms must be in the title. */
  titlesOnly?: boolean;
};

/** One more than `maxCounted`, so that we know whether there are more results. */
const maxRanked = maxCounted + 1;

/**
 * Returns the matches, best first: titles before text, complete words before prefixes, new
 * before old. If there are too many matches, only the newest are ranked.
 */
export async function rank(db: Database, input: RankInput, now: Date): Promise<Ranked[]> {
  const { terms, minTerms = terms.length, query, titlesOnly } = input;
  const hidden = listHiddenWords(terms);
  const termQueries = terms.map(({ wide, titleWide }) => (titlesOnly ? titleWide : wide));
  const matchQuery = { query: matchAtLeast(minTerms, termQueries), hidden };
  const joined = joinTerms(terms, minTerms === terms.length ? " & " : " | ");
  const score = createScore({
    joined,
    query: normalizeForNames(query),
    now: now.toISOString(),
    // If some terms may be missing, each term is scored separately.
    scoredQueries: minTerms === terms.length ? [joined] : terms,
    // A reader who is still typing has most likely typed the beginning of the title.
    prefixBonus: titlesOnly ? 4 : 0,
    // Readers who search for the site's name want pages about the site.
    pageBonus: terms.every(({ ownNames }) => ownNames.whole.length > 0) ? 2 : -2,
  });
  const { kind, id, at, title, aliases } = searchDocuments;
  const matchingDocuments = db
    .select({
      kind,
      id,
      at,
      title,
      aliases,
      searchVector: selectVisibleWords(hidden).as("searchVector"),
    })
    .from(searchDocuments)
    .where(matches(matchQuery.query, hidden))
    .orderBy(sql`at desc nulls first`)
    .limit(maxRanked)
    .as("found");
  const documents = await db
    .select({
      kind: matchingDocuments.kind,
      id: matchingDocuments.id,
      at: matchingDocuments.at,
      score: score(sql`kind = 'page'`, sql`lower(title || E'\\n' || aliases)`, sql`1.1`),
    })
    .from(matchingDocuments);
  const headlineMatches = await rankHeadlines(db, matchQuery, score, now);
  return [...documents, ...headlineMatches].sort(
    (a, b) => b.score - a.score || (b.at?.getTime() ?? 0) - (a.at?.getTime() ?? 0),
  );
}

type Queries = Pick<ParsedTerm, "exact" | "titleExact" | "titleLiteral" | "wide" | "titleWide">;

function joinTerms(terms: ParsedTerm[], operator: " & " | " | "): Queries {
  const join = (field: keyof Queries) => `(${terms.map((term) => term[field]).join(operator)})`;
  return {
    exact: join("exact"),
    titleExact: join("titleExact"),
    titleLiteral: join("titleLiteral"),
    wide: join("wide"),
    titleWide: join("titleWide"),
  };
}

/** The tsquery that must match, and the words that must not match. */
type MatchQuery = { query: string; hidden: string[] };

/** Converts the query to the form of page names: lowercase, without quotation marks. */
const normalizeForNames = (query: string) => query.toLowerCase().replaceAll(/["“”]/g, "").trim();

/** Returns a tsquery for rows that match at least `count` of these queries. */
function matchAtLeast(count: number, queries: string[]): string {
  if (count === queries.length) return `(${queries.join(" & ")})`;
  if (count === 1) return `(${queries.join(" | ")})`;
  const [first, ...rest] = queries;
  return `((${first} & ${matchAtLeast(count - 1, rest)}) | ${matchAtLeast(count, rest)})`;
}

type Score = ReturnType<typeof createScore>;

const selectHeadlineFields = (score: Score) => ({
  kind: sql<Kind>`'headline'`,
  id: sql<string>`${headlines.id}::text`,
  at: sql<Date>`"at"`.mapWith(headlines.shownAt),
  score: score(sql`false`, sql`lower(title)`, sql`1`),
});

/** Ranks all headlines that match. Returns null if there are too many. */
async function rankAllHeadlines(
  db: Database,
  matchQuery: MatchQuery,
  score: Score,
): Promise<Ranked[] | null> {
  const rows = await db
    .select({ ...selectHeadlineFields(score), count: sql<number>`count::int` })
    .from(
      sql`(with matching as materialized (
          select id from ${headlines} where ${matches(matchQuery.query, matchQuery.hidden)} limit ${maxRanked}
        ), counted as (select count(*) from matching)
        select count, id, title, ${selectVisibleWords(matchQuery.hidden)} as "searchVector", "shownAt" as at
        from counted left join (${headlines} join matching using (id)) on count <= ${maxCounted}) as ${headlines}`,
    );
  if ((rows[0]?.count ?? 0) > maxCounted) return null;
  return rows.flatMap(({ count, ...row }) => (count > 0 ? [row] : []));
}

const weekMs = 7 * 24 * 60 * 60 * 1000;
/** The first query reads this week and the next, because a source's clock may be ahead of ours. */
const firstWeekCount = 2;
const maxWeeksPerQuery = 64;
const maxWeeks = 520;
/**
 * If the first weeks have at least this many matches, the words are common. Counting all headlines
 * with these words would take longer than ranking the newest.
 */
const commonThreshold = 40;

async function rankHeadlines(
  db: Database,
  matchQuery: MatchQuery,
  score: Score,
  now: Date,
): Promise<Ranked[]> {
  const nextWeek = Math.floor(now.getTime() / weekMs) + 1;
  const newest = await rankHeadlinesOfWeeks(db, matchQuery, score, {
    newestWeek: nextWeek,
    weekCount: firstWeekCount,
    limit: maxRanked,
  });
  const all =
    newest.length < commonThreshold ? await rankAllHeadlines(db, matchQuery, score) : null;
  return (
    all ??
    rankNewestHeadlines(db, matchQuery, score, { now, newest, week: nextWeek - firstWeekCount })
  );
}

type Weeks = {
  /** The number of the newest week. */
  newestWeek: number;
  weekCount: number;
  limit: number;
};

/**
 * Ranks the matching headlines of these weeks. In the index, the week of a headline is one of its
 * words, so the database reads only matching rows of these weeks.
 */
function rankHeadlinesOfWeeks(
  db: Database,
  matchQuery: MatchQuery,
  score: Score,
  { newestWeek, weekCount, limit }: Weeks,
): Promise<Ranked[]> {
  const weekWords = Array.from(
    { length: weekCount },
    (_, index) => `'~${newestWeek - index}'`,
  ).join(" | ");
  return rankMatchingHeadlines(
    db,
    { ...matchQuery, query: `${matchQuery.query} & (${weekWords})` },
    score,
    limit,
  );
}

/**
 * Ranks the newest headlines that match or, if `before` is set, any that match and are older than
 * that date. Only `limit` headlines are scored, because scoring takes more time than finding.
 */
function rankMatchingHeadlines(
  db: Database,
  { query, hidden }: MatchQuery,
  score: Score,
  limit: number,
  before?: Date,
): Promise<Ranked[]> {
  const beforeOrNewest = before
    ? sql`and "shownAt" < ${before.toISOString()}::timestamptz`
    : sql`order by "shownAt" desc`;
  return db.select(selectHeadlineFields(score)).from(
    sql`(select id, title, ${selectVisibleWords(hidden)} as "searchVector", "shownAt" as at
        from ${headlines} where ${matches(query, hidden)} ${beforeOrNewest} limit ${limit}) as ${headlines}`,
  );
}

/**
 * Ranks the newest of many headlines. We search a few weeks at a time and estimate the number of
 * weeks from the matches so far, so neither the query planner nor the size of the archive affects
 * the speed.
 */
async function rankNewestHeadlines(
  db: Database,
  matchQuery: MatchQuery,
  score: Score,
  start: { now: Date; newest: Ranked[]; week: number },
): Promise<Ranked[]> {
  const { now } = start;
  let { week } = start;
  let searchedWeeks = firstWeekCount;
  const ranked = [...start.newest];
  while (ranked.length < maxRanked && searchedWeeks < maxWeeks) {
    const remaining = maxRanked - ranked.length;
    // The time searched so far is shorter than the weeks searched, because the current week is not
    // over and the next has not begun.
    const elapsedWeeks = Math.max(now.getTime() / weekMs - (week + 1), 0.5);
    const neededWeeks =
      ranked.length > 0 ? (remaining * elapsedWeeks) / ranked.length : searchedWeeks;
    const weekCount = Math.min(Math.max(Math.ceil(neededWeeks), 1), maxWeeksPerQuery);
    ranked.push(
      ...(await rankHeadlinesOfWeeks(db, matchQuery, score, {
        newestWeek: week,
        weekCount,
        limit: remaining,
      })),
    );
    week -= weekCount;
    searchedWeeks += weekCount;
  }
  // If there are still too few results, add any matches from the years before.
  if (ranked.length < maxRanked) {
    const before = new Date((week + 1) * weekMs);
    ranked.push(
      ...(await rankMatchingHeadlines(db, matchQuery, score, maxRanked - ranked.length, before)),
    );
  }
  return ranked.sort((a, b) => (b.at?.getTime() ?? 0) - (a.at?.getTime() ?? 0)).slice(0, maxRanked);
}

type ScoreInput = {
  /** One query for all terms. */
  joined: Queries;
  query: string;
  now: string;
  /** The queries that are scored separately: only `joined`, or one query per term. */
  scoredQueries: Queries[];
  prefixBonus: number;
  pageBonus: number;
};

/**
 * Returns a function that builds the SQL for the score of a row. What counts first is how many
 * terms match, then where they match: complete words in the title, complete words in the text,
 * prefixes in the title, prefixes in the text. Among results with the same matches, pages come
 * last. But if the query is the name of a page, that page comes first. Documents without a date
 * count as two weeks old, and future dates as today.
 */
function createScore({ joined, query, now, scoredQueries, prefixBonus, pageBonus }: ScoreInput) {
  const matchesQuery = (query: string) => sql`"searchVector" @@ ${query}::tsquery`;
  const placeScores = scoredQueries.map(
    ({ titleExact, exact, titleWide, wide }) =>
      sql`case when ${matchesQuery(titleExact)} then 1030 when ${matchesQuery(exact)} then 1020 when ${matchesQuery(titleWide)} then 1010 when ${matchesQuery(wide)} then 1000 else 0 end`,
  );
  const titleScore = sql`case when ${matchesQuery(joined.titleExact)} then 1 when ${matchesQuery(joined.titleWide)} then 0.5 else 0 end`;
  // Two words may have the same stem ("market" and "marketing"). A title with the word as typed
  // gets a bonus that is worth as much as a month of freshness.
  const literalScore = sql`case when ${matchesQuery(joined.titleLiteral)} then 0.5 else 0 end`;
  const scoreFrequency = (query: string) =>
    sql`0.3 * ts_rank('{0.02, 0.3, 0.7, 1}', "searchVector", ${query}::tsquery, 1)`;
  const days = sql`coalesce(greatest(0, extract(epoch from ${now}::timestamptz - at)) / 86400, 14)`;
  const freshness = sql`(0.6 + 0.4 * power(0.5::float8, least(${days}, 10000) / 30))`;
  return (isPage: SQL, names: SQL, weight: SQL) => {
    const isName = sql`strpos(E'\\n' || ${names} || E'\\n', E'\\n' || ${query}::text || E'\\n') > 0`;
    const isPrefix = sql`strpos(E'\\n' || ${names}, E'\\n' || ${query}::text) > 0`;
    const prefixScore = sql`case when ${isPrefix} then ${prefixBonus}::float8 else 0 end`;
    const pageScore = sql`case when not ${isPage} then 0 when ${isName} then 5 else ${pageBonus}::float8 end`;
    const nameScore = sql`case when ${isName} then 0.6 when ${isPrefix} then 0.15 else 0 end`;
    return sql<number>`(${sql.join(placeScores, sql` + `)} + ${prefixScore} + ${pageScore} + ${literalScore}
      + (${titleScore} + ${nameScore} + ${scoreFrequency(joined.wide)} + ${scoreFrequency(joined.exact)}) * ${freshness} * ${weight})::float8`;
  };
}
