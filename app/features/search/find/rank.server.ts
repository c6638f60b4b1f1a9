import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { headlines } from "../../feeds/schema.server.ts";
import { type Kind, maxCounted } from "../model.ts";
import { searchDocuments } from "../schema.server.ts";
import { hiddenWords, matches, type ParsedTerm, visibleWords } from "./parse.server.ts";

/** A result with its score. Its text is read only if it is shown. */
export type Ranked = { kind: Kind; id: string; score: number; at: Date | null };

type RankInput = {
  terms: ParsedTerm[];
  /** How many of the terms a result must have. By default, all of them. */
  minTerms?: number;
  query: string;
  /** Whether the terms must be in the title. */
  titlesOnly?: boolean;
};

/** One more than we count, so that we know whether there are more. */
const maxRanked = maxCounted + 1;

/**
 * The best matches first: titles before texts, whole words before prefixes, new before old. If a
 * kind has too many matches, only its newest are ranked.
 */
export async function rank(db: Database, input: RankInput, now: Date): Promise<Ranked[]> {
  const { terms, minTerms = terms.length, query, titlesOnly } = input;
  const hidden = hiddenWords(terms);
  const wides = terms.map(({ wide, titleWide }) => (titlesOnly ? titleWide : wide));
  const matchQuery = { query: atLeast(minTerms, wides), hidden };
  const joined = joinTerms(terms, minTerms === terms.length ? " & " : " | ");
  const score = createScore({
    joined,
    query: plainQuery(query),
    now: now.toISOString(),
    // If some terms may be missing, each term is scored separately.
    scored: minTerms === terms.length ? [joined] : terms,
    // A reader who is still typing has most likely typed the beginning of the title.
    prefixBonus: titlesOnly ? 4 : 0,
    // Readers who search for the site's own name want pages about the site.
    pageBonus: terms.every(({ ownNames }) => ownNames.whole.length > 0) ? 2 : -2,
  });
  const { kind, id, at, title, aliases } = searchDocuments;
  const found = db
    .select({ kind, id, at, title, aliases, searchVector: visibleWords(hidden).as("searchVector") })
    .from(searchDocuments)
    .where(matches(matchQuery.query, hidden))
    .orderBy(sql`at desc nulls first`)
    .limit(maxRanked)
    .as("found");
  const documents = await db
    .select({
      kind: found.kind,
      id: found.id,
      at: found.at,
      score: score(sql`kind = 'page'`, sql`lower(title || E'\\n' || aliases)`, sql`1.1`),
    })
    .from(found);
  const headlineMatches = await rankHeadlines(db, matchQuery, score, now);
  return [...documents, ...headlineMatches].sort(
    (one, other) =>
      other.score - one.score || (other.at?.getTime() ?? 0) - (one.at?.getTime() ?? 0),
  );
}

type Queries = Pick<ParsedTerm, "exact" | "titleExact" | "titleLiteral" | "wide" | "titleWide">;

function joinTerms(terms: ParsedTerm[], by: " & " | " | "): Queries {
  const join = (field: keyof Queries) => `(${terms.map((term) => term[field]).join(by)})`;
  return {
    exact: join("exact"),
    titleExact: join("titleExact"),
    titleLiteral: join("titleLiteral"),
    wide: join("wide"),
    titleWide: join("titleWide"),
  };
}

/** The tsquery that must match, and the words that do not count. */
type MatchQuery = { query: string; hidden: string[] };

/** The query in the form that is compared with page names: lowercase, without quotation marks. */
const plainQuery = (query: string) => query.toLowerCase().replaceAll(/["“”]/g, "").trim();

/** A tsquery for rows that match at least `count` of these queries. */
function atLeast(count: number, queries: string[]): string {
  if (count === queries.length) return `(${queries.join(" & ")})`;
  if (count === 1) return `(${queries.join(" | ")})`;
  const [first, ...rest] = queries;
  return `((${first} & ${atLeast(count - 1, rest)}) | ${atLeast(count, rest)})`;
}

type Score = ReturnType<typeof createScore>;

const headlineFields = (score: Score) => ({
  kind: sql<Kind>`'headline'`,
  id: sql<string>`${headlines.id}::text`,
  at: sql<Date>`"at"`.mapWith(headlines.shownAt),
  score: score(sql`false`, sql`lower(title)`, sql`1`),
});

/** All headlines that match; null if there are too many to rank each. */
async function rareHeadlines(
  db: Database,
  matchQuery: MatchQuery,
  score: Score,
): Promise<Ranked[] | null> {
  const rows = await db.select({ ...headlineFields(score), count: sql<number>`count::int` }).from(
    sql`(with matching as materialized (
          select id from ${headlines} where ${matches(matchQuery.query, matchQuery.hidden)} limit ${maxRanked}
        ), counted as (select count(*) from matching)
        select count, id, title, ${visibleWords(matchQuery.hidden)} as "searchVector", "shownAt" as at
        from counted left join (${headlines} join matching using (id)) on count <= ${maxCounted}) as ${headlines}`,
  );
  if ((rows[0]?.count ?? 0) > maxCounted) return null;
  return rows.flatMap(({ count, ...row }) => (count > 0 ? [row] : []));
}

const weekMs = 7 * 24 * 60 * 60 * 1000;
/** This week and the next, because a source's clock may be ahead of ours. */
const firstWeeks = 2;
const maxWeeksPerQuery = 64;
const maxWeeks = 520;
/**
 * If the first weeks have at least this many matches, the words are common. Counting all their
 * headlines would take longer than ranking the newest.
 */
const commonThreshold = 40;

async function rankHeadlines(
  db: Database,
  matchQuery: MatchQuery,
  score: Score,
  now: Date,
): Promise<Ranked[]> {
  const nextWeek = Math.floor(now.getTime() / weekMs) + 1;
  const newest = await headlinesOfWeeks(db, matchQuery, score, {
    from: nextWeek,
    weeks: firstWeeks,
    limit: maxRanked,
  });
  const all = newest.length < commonThreshold ? await rareHeadlines(db, matchQuery, score) : null;
  return (
    all ?? newestHeadlines(db, matchQuery, score, { now, newest, week: nextWeek - firstWeeks })
  );
}

type Weeks = {
  /** The newest week, and the number of weeks. */
  from: number;
  weeks: number;
  limit: number;
};

/**
 * The index has the week of a headline as one of its words, so only rows of these weeks with these
 * words are read.
 */
function headlinesOfWeeks(
  db: Database,
  matchQuery: MatchQuery,
  score: Score,
  { from, weeks, limit }: Weeks,
): Promise<Ranked[]> {
  const weekWords = Array.from({ length: weeks }, (_, back) => `'~${from - back}'`).join(" | ");
  return matchingHeadlines(
    db,
    { ...matchQuery, query: `${matchQuery.query} & (${weekWords})` },
    score,
    limit,
  );
}

/**
 * The newest headlines that match. Only those are scored, because scoring takes more time than
 * finding.
 */
function matchingHeadlines(
  db: Database,
  { query, hidden }: MatchQuery,
  score: Score,
  limit: number,
  before?: Date,
): Promise<Ranked[]> {
  const older = before
    ? sql`and "shownAt" < ${before.toISOString()}::timestamptz`
    : sql`order by "shownAt" desc`;
  return db.select(headlineFields(score)).from(
    sql`(select id, title, ${visibleWords(hidden)} as "searchVector", "shownAt" as at
        from ${headlines} where ${matches(query, hidden)} ${older} limit ${limit}) as ${headlines}`,
  );
}

/**
 * The newest of many headlines. We search a few weeks at a time and estimate their number from the
 * matches so far, so neither the query planner nor the size of the archive affects the speed.
 */
async function newestHeadlines(
  db: Database,
  matchQuery: MatchQuery,
  score: Score,
  start: { now: Date; newest: Ranked[]; week: number },
): Promise<Ranked[]> {
  const { now } = start;
  let { week } = start;
  let searchedWeeks = firstWeeks;
  const found = [...start.newest];
  while (found.length < maxRanked && searchedWeeks < maxWeeks) {
    const left = maxRanked - found.length;
    // The time searched so far: the current week is not over, and the next has not begun.
    const elapsedWeeks = Math.max(now.getTime() / weekMs - (week + 1), 0.5);
    const needed = found.length > 0 ? (left * elapsedWeeks) / found.length : searchedWeeks;
    const weeks = Math.min(Math.max(Math.ceil(needed), 1), maxWeeksPerQuery);
    found.push(
      ...(await headlinesOfWeeks(db, matchQuery, score, { from: week, weeks, limit: left })),
    );
    week -= weeks;
    searchedWeeks += weeks;
  }
  // If there are still too few, add any matches from the years before.
  if (found.length < maxRanked) {
    const before = new Date((week + 1) * weekMs);
    found.push(
      ...(await matchingHeadlines(db, matchQuery, score, maxRanked - found.length, before)),
    );
  }
  return found
    .sort((one, other) => (other.at?.getTime() ?? 0) - (one.at?.getTime() ?? 0))
    .slice(0, maxRanked);
}

type ScoreInput = {
  /** One query for all terms. */
  joined: Queries;
  query: string;
  now: string;
  /** The queries that are scored separately: `joined` alone, or one per term. */
  scored: Queries[];
  prefixBonus: number;
  pageBonus: number;
};

/**
 * Scores first by how many terms match, then by where they match: whole words in the title, whole
 * words in the text, prefixes in the title, prefixes in the text. Pages come after all other
 * results with the same matches, unless the query is the name of the page, which outweighs all
 * remaining criteria together. Documents without a date count as two weeks old, and future dates as
 * today.
 */
function createScore({ joined, query, now, scored, prefixBonus, pageBonus }: ScoreInput) {
  const matchesQuery = (words: string) => sql`"searchVector" @@ ${words}::tsquery`;
  const placeScores = scored.map(
    ({ titleExact, exact, titleWide, wide }) =>
      sql`case when ${matchesQuery(titleExact)} then 1030 when ${matchesQuery(exact)} then 1020 when ${matchesQuery(titleWide)} then 1010 when ${matchesQuery(wide)} then 1000 else 0 end`,
  );
  const titleScore = sql`case when ${matchesQuery(joined.titleExact)} then 1 when ${matchesQuery(joined.titleWide)} then 0.5 else 0 end`;
  // If two words have the same stem ("market" and "marketing"), a title with the word as typed gets
  // a bonus, worth as much as a month of freshness.
  const literalScore = sql`case when ${matchesQuery(joined.titleLiteral)} then 0.5 else 0 end`;
  const frequency = (words: string) =>
    sql`0.3 * ts_rank('{0.02, 0.3, 0.7, 1}', "searchVector", ${words}::tsquery, 1)`;
  const days = sql`coalesce(greatest(0, extract(epoch from ${now}::timestamptz - at)) / 86400, 14)`;
  const freshness = sql`(0.6 + 0.4 * power(0.5::float8, least(${days}, 10000) / 30))`;
  return (isPage: SQL, names: SQL, weight: SQL) => {
    const isNamed = sql`strpos(E'\\n' || ${names} || E'\\n', E'\\n' || ${query}::text || E'\\n') > 0`;
    const isPrefix = sql`strpos(E'\\n' || ${names}, E'\\n' || ${query}::text) > 0`;
    const prefixScore = sql`case when ${isPrefix} then ${prefixBonus}::float8 else 0 end`;
    const pageScore = sql`case when not ${isPage} then 0 when ${isNamed} then 5 else ${pageBonus}::float8 end`;
    const nameScore = sql`case when ${isNamed} then 0.6 when ${isPrefix} then 0.15 else 0 end`;
    return sql<number>`(${sql.join(placeScores, sql` + `)} + ${prefixScore} + ${pageScore} + ${literalScore}
      + (${titleScore} + ${nameScore} + ${frequency(joined.wide)} + ${frequency(joined.exact)}) * ${freshness} * ${weight})::float8`;
  };
}
