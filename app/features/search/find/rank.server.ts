import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { headlines } from "../../feeds/schema.server.ts";
import { type Kind, maxCounted } from "../model.ts";
import { searchDocuments } from "../schema.server.ts";
import {
  listHiddenWords,
  matches,
  type ParsedTerm,
  type Queries,
  selectVisibleWords,
} from "./parse.server.ts";

/** A result without its text, which is read only if the result is shown. */
export type Ranked = { kind: Kind; id: string; score: number; at: Date | null };

type RankInput = {
  terms: ParsedTerm[];
  /** The number of terms that a result must have. By default, all of them. */
  minTerms?: number;
  query: string;
  titlesOnly?: boolean;
  /** By default, the best headlines are returned. */
  order?: "best" | "newest";
  /** How many headlines are returned. Documents are few, so all of them are. */
  maxHeadlines: number;
};

/** The matches in the order of their scores, and the number of headlines that match. */
export type Ranking = { ranked: Ranked[]; headlineCount: number };

/** One more than `maxCounted`, so that we know whether there are more results. */
const maxRanked = maxCounted + 1;
/** Only a few titles are suggested, so fewer are ranked. */
const maxRankedTitles = 200;

/**
 * Returns the matches, best first: titles before text, complete words before prefixes, new before
 * old. If there are too many matches, only the newest are ranked.
 */
export async function rank(db: Database, input: RankInput, now: Date): Promise<Ranking> {
  const { terms, minTerms = terms.length, query, titlesOnly = false } = input;
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
      score: score(sql`kind = 'page'`, selectNames(sql`title || E'\\n' || aliases`), sql`1.1`),
    })
    .from(matchingDocuments);
  const headlineMatches = await rankHeadlines(db, matchQuery, score, {
    maxRanked: titlesOnly ? maxRankedTitles : maxRanked,
    maxReturned: input.maxHeadlines,
    order:
      input.order === "newest" ? sql`at > ${now.toISOString()}, at desc` : sql`score desc, at desc`,
  });
  return {
    ranked: [...documents, ...headlineMatches].sort(
      (a, b) => b.score - a.score || (b.at?.getTime() ?? 0) - (a.at?.getTime() ?? 0),
    ),
    headlineCount: headlineMatches[0]?.count ?? 0,
  };
}

function joinTerms(terms: ParsedTerm[], operator: " & " | " | "): Queries {
  const join = (field: keyof Queries) => `(${terms.map((term) => term[field]).join(operator)})`;
  return {
    exact: join("exact"),
    titleExact: join("titleExact"),
    wide: join("wide"),
    titleWide: join("titleWide"),
  };
}

/**
 * Readers type both kinds of quotation marks and apostrophes. `selectNames` does the same in SQL.
 */
const normalizeForNames = (query: string) =>
  query.toLowerCase().replaceAll(/["“”]/g, "").replaceAll("’", "'").trim();

const selectNames = (titles: SQL) => sql`translate(lower(${titles}), '’“”"', '''')`;

function matchAtLeast(count: number, queries: string[]): string {
  if (count === queries.length) return `(${queries.join(" & ")})`;
  if (count === 1) return `(${queries.join(" | ")})`;
  const [first, ...rest] = queries;
  return `((${first} & ${matchAtLeast(count - 1, rest)}) | ${matchAtLeast(count, rest)})`;
}

type Score = ReturnType<typeof createScore>;

/** The number of newest headlines in which the matches are counted first. */
const sampleSize = 400;
/** Words are common if this many of the newest headlines probably have enough matches. */
const maxScanned = 20_000;

/**
 * Ranks the newest headlines that match. The text index returns matches in no order, so for common
 * words it would return far too many. If the words are common in a sample of the newest headlines,
 * the headlines are read by date instead, until there are enough matches.
 */
function rankHeadlines(
  db: Database,
  { query, hidden }: { query: string; hidden: string[] },
  score: Score,
  limits: { maxRanked: number; maxReturned: number; order: SQL },
) {
  const isMatch = matches(query, hidden);
  const fields = sql`id, title, ${selectVisibleWords(hidden)} as "searchVector", "shownAt" as at`;
  const selectNewest = (count: number) =>
    sql`select id, title, "searchVector", "shownAt" from ${headlines} order by "shownAt" desc nulls last limit ${count}`;
  // Half as many again, because the sample may have more matches than the headlines before it.
  const minInSample = Math.ceil((1.5 * limits.maxRanked * sampleSize) / maxScanned);
  // With `offset 0`, the database uses the text index. Otherwise it may read all headlines by date.
  return db
    .select({
      kind: sql<Kind>`'headline'`,
      id: sql<string>`${headlines.id}::text`,
      at: sql<Date>`"at"`.mapWith(headlines.shownAt),
      score: score(sql`false`, selectNames(sql`title`), sql`1`).as("score"),
      count: sql<number>`count(*) over ()`.mapWith(Number),
    })
    .from(
      sql`(with recent as materialized (
          select ${fields} from (${selectNewest(maxScanned)}) as newest
          where (select count(*) from (${selectNewest(sampleSize)}) as sample where ${isMatch}) >= ${minInSample}
            and ${isMatch} order by "shownAt" desc nulls last limit ${limits.maxRanked})
        select * from recent where (select count(*) from recent) = ${limits.maxRanked}
        union all (select ${fields} from (select * from ${headlines}
            where (select count(*) from recent) < ${limits.maxRanked} and ${isMatch} offset 0) as matching
          order by "shownAt" desc limit ${limits.maxRanked})) as ${headlines}`,
    )
    .orderBy(limits.order, sql`id desc`)
    .limit(limits.maxReturned);
}

type ScoreInput = {
  /** One query for all terms. */
  joined: Queries;
  query: string;
  now: string;
  /** The queries that are scored separately: only `joined`, or one per term. */
  scoredQueries: Queries[];
  prefixBonus: number;
  pageBonus: number;
};

/**
 * Returns a function that builds the SQL for the score of a row. What counts first is how many
 * terms match, then where they match: complete words in the title, complete words in the text,
 * prefixes in the title, prefixes in the text. Among results with the same matches, pages come
 * last, but a page whose name is the query comes first. Documents without a date count as two weeks
 * old, and future dates as today.
 */
function createScore({ joined, query, now, scoredQueries, prefixBonus, pageBonus }: ScoreInput) {
  const matchesQuery = (query: string) => sql`"searchVector" @@ ${query}::tsquery`;
  const placeScores = scoredQueries.map(
    ({ titleExact, exact, titleWide, wide }) =>
      sql`case when ${matchesQuery(titleExact)} then 1030 when ${matchesQuery(exact)} then 1020 when ${matchesQuery(titleWide)} then 1010 when ${matchesQuery(wide)} then 1000 else 0 end`,
  );
  const titleScore = sql`case when ${matchesQuery(joined.titleExact)} then 1 when ${matchesQuery(joined.titleWide)} then 0.5 else 0 end`;
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
    return sql<number>`(${sql.join(placeScores, sql` + `)} + ${prefixScore} + ${pageScore}
      + (${titleScore} + ${nameScore} + ${scoreFrequency(joined.wide)} + ${scoreFrequency(joined.exact)}) * ${freshness} * ${weight})::float8`;
  };
}
