import { and, count, desc, gte, inArray, lt, sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { calendarDay, instantAt, longDate } from "../../lib/dates.ts";
import { type Archive, type ArchiveQuestion, archivePageSize } from "./archive.ts";
import { activeSources, type Sections, sourceId, sourcesOf } from "./files.server.ts";
import { headlines } from "./schema.server.ts";
import { shownTime } from "./select.server.ts";

export function archiveQuestion(query: URLSearchParams, sections: Sections): ArchiveQuestion {
  const month = query.get("month");
  const section = query.get("section");
  const source = query.get("source");
  const page = Number(query.get("page"));
  return {
    month: month !== null && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month) ? month : null,
    section: section !== null && sections.sections[section] ? section : null,
    source: activeSources(sections).some(({ id }) => id === source) ? source : null,
    page: Number.isInteger(page) && page > 1 && page <= 10_000 ? page : 1,
  };
}

/** A post of our own, which the archive holds beside what others wrote. */
export type KeptPost = { title: string; link: string; at: Date };

const newestPosts = 6;

/** What we have kept: titles, sources, times and links. */
export async function readArchive(
  db: Database,
  sections: Sections,
  ownPosts: KeptPost[],
  asked: ArchiveQuestion,
  timeZone: string,
): Promise<Archive> {
  const wanted = wantedSources(sections, asked);
  const ofSources = wanted && (wanted.length > 0 ? inArray(headlines.sourceId, wanted) : sql`false`);
  const perMonth = await db
    .select({
      month: sql<string>`to_char(${headlines.shownAt} at time zone ${timeZone}, 'YYYY-MM')`,
      count: count(),
    })
    .from(headlines)
    .where(ofSources)
    .groupBy(sql`1`)
    .orderBy(sql`1 desc`);
  const rows = await db
    .select()
    .from(headlines)
    .where(and(ofSources, asked.month === null ? undefined : inMonth(asked.month, timeZone)))
    .orderBy(desc(headlines.shownAt), desc(headlines.id))
    .limit(archivePageSize)
    .offset((asked.page - 1) * archivePageSize);
  const names = new Map(allSources(sections).map(({ id, name }) => [id, name]));
  const posts = wanted ? [] : ownPosts.map((post) => ({ ...post, month: monthOf(post.at, timeZone) }));
  const counts = new Map(perMonth.map(({ month, count: number }) => [month, number]));
  const months = [...new Set([...counts.keys(), ...posts.map(({ month }) => month)])].sort().reverse();
  const ofMonth = posts.filter(({ month }) => month === asked.month);
  return {
    asked,
    months: months.map((month) => ({
      month,
      label: monthLabel(month),
      count: (counts.get(month) ?? 0) + posts.filter((post) => post.month === month).length,
    })),
    total:
      asked.month === null
        ? perMonth.reduce((sum, { count: number }) => sum + number, 0)
        : (counts.get(asked.month) ?? 0),
    posts: (asked.month === null ? posts.slice(0, newestPosts) : ofMonth).map(({ title, link, at }) => ({
      ...{ title, link },
      shown: longDate(calendarDay(at, timeZone)),
    })),
    kept: rows.map(({ title, link, sourceId: id, shownAt }) => ({
      ...{ title, link },
      source: names.get(id) ?? new URL(link).hostname,
      time: shownTime(shownAt, timeZone),
    })),
    sections: Object.entries(sections.sections)
      .filter(([, { feeds }]) => Object.values(feeds).some(({ sources }) => sources.length > 0))
      .map(([id, { heading }]) => ({ id, heading })),
    sources: activeSources(sections).map(({ id, name }) => ({ id, name })),
  };
}

/** A source that is no longer asked still has a name in the archive. */
const allSources = ({ sections }: Sections) =>
  Object.values(sections)
    .flatMap(({ feeds }) => Object.values(feeds))
    .flatMap(({ sources }) => sources)
    .map(({ name }) => ({ id: sourceId(name), name }));

/** The sources that a question is about; undefined for all of them. */
function wantedSources({ sections }: Sections, { section, source }: ArchiveQuestion): string[] | undefined {
  if (section === null) return source === null ? undefined : [source];
  const ids = Object.values(sections[section]?.feeds ?? {})
    .flatMap(sourcesOf)
    .map(({ id }) => id);
  return source === null ? ids : ids.filter((id) => id === source);
}

function inMonth(month: string, timeZone: string) {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
  return and(
    gte(headlines.shownAt, instantAt(`${month}-01`, "00:00", timeZone)),
    lt(headlines.shownAt, instantAt(next, "00:00", timeZone)),
  );
}

const monthOf = (instant: Date, timeZone: string) => calendarDay(instant, timeZone).slice(0, 7);

const monthLabel = (month: string) =>
  new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01`),
  );
