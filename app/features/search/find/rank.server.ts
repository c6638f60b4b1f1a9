import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { headlines } from "../../feeds/schema.server.ts";
import { type Kind, maxCounted } from "../model.ts";
import { searchDocuments } from "../schema.server.ts";
import { hiddenWords, matches, type ParsedTerm, visibleWords } from "./parse.server.ts";

/** A result by its place alone: what it says is read only for those that are shown. */
export type Ranked = { kind: Kind; id: string; score: number; at: Date | null };

type RankInput = {
  terms: ParsedTerm[];
  /** How many of the terms a result must have; all of them unless given. */
  minTerms?: number;
  query: string;
  /** Only what has the words in its title. */
  titlesOnly?: boolean;
};

/** One more than are counted says that there are more. */
const maxRanked = maxCounted + 1;

/**
 * The best matches first: titles before texts, whole words before beginnings, fresh before old. Of
 * a kind, the newest are ranked.
 */
export async function rank(db: Database, asked: RankInput, now: Date): Promise<Ranked[]> {
  const { terms, minTerms: least = terms.length, query, titlesOnly } = asked;
  const hidden = hiddenWords(terms);
  const wides = terms.map(({ wide, titleWide }) => (titlesOnly ? titleWide : wide));
  const wanted = { query: atLeast(least, wides), hidden };
  const joined = joinTerms(terms, least === terms.length ? " & " : " | ");
  const score = createScore({
    joined,
    query: plainQuery(query),
    now: now.toISOString(),
    // Where some terms may be missing, each counts by itself.
    counted: least === terms.length ? [joined] : terms,
    // Somebody who is still typing most likely types the beginning.
    prefixBonus: titlesOnly ? 4 : 0,
    // The site's own name is looked for by those who want to know about the site.
    pageBonus: terms.every(({ ownNames }) => ownNames.whole.length > 0) ? 2 : -2,
  });
  const { kind, id, at, title, aliases } = searchDocuments;
  const found = db
    .select({ kind, id, at, title, aliases, searchVector: visibleWords(hidden).as("searchVector") })
    .from(searchDocuments)
    .where(matches(wanted.query, hidden))
    .orderBy(sql`at desc nulls first`)
    .limit(maxRanked)
    .as("found");
  const ours = await db
    .select({
      kind: found.kind,
      id: found.id,
      at: found.at,
      score: score(sql`kind = 'page'`, sql`lower(title || E'\\n' || aliases)`, sql`1.1`),
    })
    .from(found);
  const headlineMatches = await rankHeadlines(db, wanted, score, now);
  return [...ours, ...headlineMatches].sort(
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

/** What has to match (tsquery), and the words that do not count. */
type MatchQuery = { query: string; hidden: string[] };

/** Names of pages are compared as they are typed, but without quotation marks. */
const plainQuery = (query: string) => query.toLowerCase().replaceAll(/["“”]/g, "").trim();

/** A query for rows that match at least `count` of these. */
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

/** All headlines that match; null if there are too many to look at each. */
async function rareHeadlines(
  db: Database,
  wanted: MatchQuery,
  score: Score,
): Promise<Ranked[] | null> {
  const rows = await db.select({ ...headlineFields(score), count: sql<number>`count::int` }).from(
    sql`(with matching as materialized (
          select id from ${headlines} where ${matches(wanted.query, wanted.hidden)} limit ${maxRanked}
        ), counted as (select count(*) from matching)
        select count, id, title, ${visibleWords(wanted.hidden)} as "searchVector", "shownAt" as at
        from counted left join (${headlines} join matching using (id)) on count <= ${maxCounted}) as ${headlines}`,
  );
  if ((rows[0]?.count ?? 0) > maxCounted) return null;
  return rows.flatMap(({ count, ...row }) => (count > 0 ? [row] : []));
}

const weekMs = 7 * 24 * 60 * 60 * 1000;
/** This week and the next: a source may be ahead of our clock. */
const firstWeeks = 2;
const maxWeeksPerQuery = 64;
const maxWeeks = 520;
/**
 * With as many matches in the newest weeks a word is not rare: counting all of its headlines would
 * take longer than ranking the newest.
 */
const commonThreshold = 40;

async function rankHeadlines(
  db: Database,
  wanted: MatchQuery,
  score: Score,
  now: Date,
): Promise<Ranked[]> {
  const nextWeek = Math.floor(now.getTime() / weekMs) + 1;
  const newest = await headlinesOfWeeks(db, wanted, score, {
    from: nextWeek,
    weeks: firstWeeks,
    limit: maxRanked,
  });
  const all = newest.length < commonThreshold ? await rareHeadlines(db, wanted, score) : null;
  return all ?? newestHeadlines(db, wanted, score, { now, newest, week: nextWeek - firstWeeks });
}

type Weeks = {
  /** The newest of them, and how many there are. */
  from: number;
  weeks: number;
  limit: number;
};

/**
 * The index holds the week of a headline like a word of it, so no row is read that is of another
 * week or has other words.
 */
function headlinesOfWeeks(
  db: Database,
  wanted: MatchQuery,
  score: Score,
  { from, weeks, limit }: Weeks,
): Promise<Ranked[]> {
  const named = Array.from({ length: weeks }, (_, back) => `'~${from - back}'`).join(" | ");
  return matchingHeadlines(db, { ...wanted, query: `${wanted.query} & (${named})` }, score, limit);
}

/**
 * The newest headlines that match. Only those are scored, which takes more time than to find them.
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
 * The newest of many. We look a few weeks at a time, as many as should do by what was found so far:
 * neither the planner's guesses nor the size of the archive matter.
 */
async function newestHeadlines(
  db: Database,
  wanted: MatchQuery,
  score: Score,
  begun: { now: Date; newest: Ranked[]; week: number },
): Promise<Ranked[]> {
  const { now } = begun;
  let { week } = begun;
  let looked = firstWeeks;
  const found = [...begun.newest];
  while (found.length < maxRanked && looked < maxWeeks) {
    const left = maxRanked - found.length;
    // The weeks looked at until now: the newest ones are not over or not there yet.
    const passed = Math.max(now.getTime() / weekMs - (week + 1), 0.5);
    const needed = found.length > 0 ? (left * passed) / found.length : looked;
    const weeks = Math.min(Math.max(Math.ceil(needed), 1), maxWeeksPerQuery);
    found.push(...(await headlinesOfWeeks(db, wanted, score, { from: week, weeks, limit: left })));
    week -= weeks;
    looked += weeks;
  }
  // Of the years before, if we got that far, any will do.
  if (found.length < maxRanked) {
    const before = new Date((week + 1) * weekMs);
    found.push(...(await matchingHeadlines(db, wanted, score, maxRanked - found.length, before)));
  }
  return found
    .sort((one, other) => (other.at?.getTime() ?? 0) - (one.at?.getTime() ?? 0))
    .slice(0, maxRanked);
}

type ScoreInput = {
  joined: Queries;
  query: string;
  now: string;
  counted: Queries[];
  prefixBonus: number;
  pageBonus: number;
};

/**
 * First by how many of the terms are there, then by where they are: whole words in the title, whole
 * words in the text, their beginnings in the title, their beginnings in the text. Pages come after
 * all else of the same place, unless one is called what was typed. That weighs more than anything
 * else together. What does not age counts as a fortnight old; what is to come is as fresh as today.
 */
function createScore({
  joined,
  query,
  now,
  counted,
  prefixBonus: begins,
  pageBonus: pages,
}: ScoreInput) {
  const has = (words: string) => sql`"searchVector" @@ ${words}::tsquery`;
  const places = counted.map(
    ({ titleExact, exact, titleWide, wide }) =>
      sql`case when ${has(titleExact)} then 1030 when ${has(exact)} then 1020 when ${has(titleWide)} then 1010 when ${has(wide)} then 1000 else 0 end`,
  );
  const inTitle = sql`case when ${has(joined.titleExact)} then 1 when ${has(joined.titleWide)} then 0.5 else 0 end`;
  // Where the index has one word for two ("market" and "marketing"), the one that was typed counts
  // as a month fresher.
  const isLiteral = sql`case when ${has(joined.titleLiteral)} then 0.5 else 0 end`;
  const often = (words: string) =>
    sql`0.3 * ts_rank('{0.02, 0.3, 0.7, 1}', "searchVector", ${words}::tsquery, 1)`;
  const days = sql`coalesce(greatest(0, extract(epoch from ${now}::timestamptz - at)) / 86400, 14)`;
  const freshness = sql`(0.6 + 0.4 * power(0.5::float8, least(${days}, 10000) / 30))`;
  return (isPage: SQL, names: SQL, worth: SQL) => {
    const isNamed = sql`strpos(E'\\n' || ${names} || E'\\n', E'\\n' || ${query}::text || E'\\n') > 0`;
    const isBegun = sql`strpos(E'\\n' || ${names}, E'\\n' || ${query}::text) > 0`;
    const first = sql`case when ${isBegun} then ${begins}::float8 else 0 end`;
    const ofPage = sql`case when not ${isPage} then 0 when ${isNamed} then 5 else ${pages}::float8 end`;
    const nameWorth = sql`case when ${isNamed} then 0.6 when ${isBegun} then 0.15 else 0 end`;
    return sql<number>`(${sql.join(places, sql` + `)} + ${first} + ${ofPage} + ${isLiteral}
      + (${inTitle} + ${nameWorth} + ${often(joined.wide)} + ${often(joined.exact)}) * ${freshness} * ${worth})::float8`;
  };
}
