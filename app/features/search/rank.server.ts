import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { headlines } from "../feeds/schema.server.ts";
import { type Kind, mostCounted } from "./model.ts";
import type { ParsedTerm } from "./parse.server.ts";
import { searchDocuments } from "./schema.server.ts";

/** A result by its place alone: what it says is read only for those that are shown. */
export type Ranked = { kind: Kind; id: string; score: number; at: Date | null };

type Asked = {
  terms: ParsedTerm[];
  joined: "all" | "any";
  query: string;
  /** Only what has the words in its title. */
  titlesOnly?: boolean;
};

/** One more than are counted says that there are more. */
const most = mostCounted + 1;

/** The best matches first: titles before bodies, fresh before old. Of a kind, the newest are ranked. */
export async function rank(db: Database, asked: Asked, now: Date): Promise<Ranked[]> {
  const { terms, joined, query, titlesOnly } = asked;
  const joinedBy = joined === "all" ? " & " : " | ";
  const joinedTerms = (field: "exact" | "titleExact" | "wide" | "titleWide") =>
    `(${terms.map((term) => term[field]).join(joinedBy)})`;
  const wide = joinedTerms(titlesOnly ? "titleWide" : "wide");
  const score = scoreOf({
    ...{ wide, exact: joinedTerms("exact") },
    ...{ titleExact: joinedTerms("titleExact"), titleWide: joinedTerms("titleWide") },
    ...{ query: query.toLowerCase(), now: now.toISOString() },
    // Who is still typing most likely types the beginning.
    begins: titlesOnly ? "5" : "0",
  });
  const ours = await db
    .select({
      kind: searchDocuments.kind,
      id: searchDocuments.id,
      at: searchDocuments.at,
      score: score(sql`1.1`, sql`string_to_array(lower(title || E'\\n' || aliases), E'\\n')`),
    })
    .from(searchDocuments)
    .where(sql`words @@ ${wide}::tsquery`)
    .orderBy(sql`at desc nulls first`)
    .limit(most);
  const told = (await rareHeadlines(db, wide, score)) ?? (await newestHeadlines(db, wide, score, now));
  return [...ours, ...told].sort(
    (one, other) => other.score - one.score || (other.at?.getTime() ?? 0) - (one.at?.getTime() ?? 0),
  );
}

type Score = ReturnType<typeof scoreOf>;

const headlineFields = (score: Score) => ({
  kind: sql<Kind>`'headline'`,
  id: sql<string>`${headlines.id}::text`,
  at: sql<Date>`"at"`.mapWith(headlines.shownAt),
  score: score(sql`1`, sql`array[lower(title)]`),
});

/** All headlines that match; null if there are too many to look at each. */
async function rareHeadlines(db: Database, wide: string, score: Score): Promise<Ranked[] | null> {
  const rows = await db.select({ ...headlineFields(score), count: sql<number>`count::int` }).from(
    sql`(with matching as materialized (
          select id from ${headlines} where words @@ ${wide}::tsquery limit ${most}
        ), counted as (select count(*) from matching)
        select count, id, title, words, "shownAt" as at
        from counted left join (${headlines} join matching using (id)) on count <= ${mostCounted}) as ${headlines}`,
  );
  if ((rows[0]?.count ?? 0) > mostCounted) return null;
  return rows.flatMap(({ count, ...row }) => (count > 0 ? [row] : []));
}

const weekMs = 7 * 24 * 60 * 60 * 1000;
/** This week and the next: a source may be ahead of our clock. */
const firstWeeks = 2;
const mostWeeksAtOnce = 64;
const mostWeeks = 520;

/**
 * The newest of many. The index holds the week of a headline like a word of it, so we look a few weeks at a time, as many
 * as should do by what was found so far, and never read a row that is of another week or has other words: neither the
 * planner's guesses nor the size of the archive matter.
 */
async function newestHeadlines(db: Database, wide: string, score: Score, now: Date): Promise<Ranked[]> {
  let week = Math.floor(now.getTime() / weekMs) + 1;
  let looked = 0;
  const found: Ranked[] = [];
  while (found.length < most && looked < mostWeeks) {
    const needed = found.length > 0 ? ((most - found.length) * looked) / found.length : looked;
    const weeks = Math.min(Math.max(Math.ceil(needed), firstWeeks), mostWeeksAtOnce);
    const named = Array.from({ length: weeks }, (_, back) => `'~${week - back}'`).join(" | ");
    found.push(...(await matching(`${wide} & (${named})`)));
    week -= weeks;
    looked += weeks;
  }
  // Of the years before, if we got that far, any will do.
  if (found.length < most) found.push(...(await matching(wide, new Date((week + 1) * weekMs))));
  return found.sort((one, other) => (other.at?.getTime() ?? 0) - (one.at?.getTime() ?? 0)).slice(0, most);

  function matching(words: string, before?: Date): Promise<Ranked[]> {
    const older = before ? sql`and "shownAt" < ${before.toISOString()}::timestamptz limit ${most}` : sql``;
    return db
      .select(headlineFields(score))
      .from(
        sql`(select id, title, words, "shownAt" as at from ${headlines} where words @@ ${words}::tsquery ${older}) as ${headlines}`,
      );
  }
}

type Parts = Record<"wide" | "exact" | "titleExact" | "titleWide" | "query" | "now" | "begins", string>;

/**
 * First by where the words are: in the title, their beginnings in the title, in the text. That weighs more than anything
 * else together. What does not age stands as if it were a fortnight old; what is to come is as fresh as today.
 */
function scoreOf({
  wide,
  exact,
  titleExact,
  titleWide,
  query,
  now,
  begins,
}: Parts): (worth: SQL, names: SQL) => SQL<number> {
  const place = sql`case when words @@ ${titleExact}::tsquery then 2 when words @@ ${titleWide}::tsquery then 1 else 0 end`;
  const first = sql`case when starts_with(lower(title), ${query}) then ${begins}::float8 else 0 end`;
  const isTitle = (names: SQL) =>
    sql`case when ${query} = any(${names}) then 0.6 when starts_with(lower(title), ${query}) then 0.15 else 0 end`;
  const often = (words: string) => sql`0.3 * ts_rank('{0.02, 0.3, 0.7, 1}', words, ${words}::tsquery, 1)`;
  const days = sql`coalesce(greatest(0, extract(epoch from ${now}::timestamptz - at)) / 86400, 14)`;
  const freshness = sql`(0.6 + 0.4 * power(0.5::float8, least(${days}, 10000) / 30))`;
  return (worth, names) =>
    sql<number>`(10 * ${place} + ${first} + (0.5 * ${place} + ${isTitle(names)} + ${often(wide)} + ${often(exact)}) * ${freshness} * ${worth})::float8`;
}
