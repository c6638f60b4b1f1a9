import { and, desc, gte, inArray, lt, min, sql } from "drizzle-orm";
import { calendarDay, formatByZone, instantAt, longDate } from "../../../lib/dates.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { allSourcesOf, type NamedSource, type Sections } from "../files.server.ts";
import { headlineColumns, headlines, newestFirst } from "../schema.server.ts";
import { type Archive, type ArchiveFilter, archivePageSize, lastArchivePage } from "./archive.ts";
import type { HeadlineServices } from "./content.server.ts";
import { formatTime } from "./select.server.ts";

/** A blog post of our own, which the archive lists next to the headlines of other newsrooms. */
type ArchivedPost = { title: string; link: string; at: Date };

const maxNewestPosts = 6;

export function parseArchiveFilter(query: URLSearchParams, sections: Sections): ArchiveFilter {
  const month = query.get("month");
  const section = query.get("section");
  const source = query.get("source");
  const page = Number(query.get("page"));
  return {
    month: month !== null && /^(?:19[7-9]|20\d)\d-(?:0[1-9]|1[0-2])$/.test(month) ? month : null,
    section: section !== null && Object.hasOwn(sections.sections, section) ? section : null,
    source: allSources(sections).some(({ id }) => id === source) ? source : null,
    page: Number.isInteger(page) && page > 1 && page <= lastArchivePage ? page : 1,
  };
}

/** The filter as query parameters, in their canonical form. */
export const archiveParams = ({ month, section, source, page }: ArchiveFilter) => ({
  month,
  section,
  source,
  page: page > 1 ? String(page) : null,
});

/**
 * One page of the archive: titles, sources, times and links. It does not count rows, so it stays
 * fast when the archive grows.
 */
export async function readArchive(
  { db, clock, tags, timeZone }: Omit<HeadlineServices, "site">,
  sections: Sections,
  ownPosts: ArchivedPost[],
  filter: ArchiveFilter,
): Promise<Archive> {
  tags.add(cacheTags.headlines);
  const sources = allSources(sections);
  const names = new Map(sources.map(({ id, name }) => [id, name]));
  const sourceIds = matchingSourceIds(sections, filter);
  const rows = await db
    .select(headlineColumns)
    .from(headlines)
    .where(
      and(
        sourceIds && (sourceIds.length > 0 ? inArray(headlines.sourceId, sourceIds) : sql`false`),
        filter.month === null ? undefined : inMonth(filter.month, timeZone),
      ),
    )
    .orderBy(newestFirst(headlines.shownAt), desc(headlines.id))
    .limit(archivePageSize + 1)
    .offset((filter.page - 1) * archivePageSize);
  const [oldest] = await db.select({ at: min(headlines.shownAt) }).from(headlines);
  const hasAny = oldest?.at != null;
  const posts = ownPosts.map((post) => ({ ...post, month: toMonth(post.at, timeZone) }));
  const first = [posts.at(-1)?.month, oldest?.at && toMonth(oldest.at, timeZone)]
    .filter((month) => month !== null && month !== undefined)
    .sort()[0];
  const shownPosts =
    filter.month === null
      ? posts.slice(0, maxNewestPosts)
      : posts.filter((post) => post.month === filter.month);
  const labels = [
    filter.month && monthLabel(filter.month),
    filter.section && sections.sections[filter.section]?.heading,
    filter.source && names.get(filter.source),
  ];
  return {
    filter,
    filterLabel: labels.filter((label) => label).join(", "),
    months: monthsBetween(first, toMonth(clock(), timeZone)).map((month) => ({
      month,
      label: monthLabel(month),
    })),
    headlines: rows.slice(0, archivePageSize).map(({ id, title, link, sourceId, shownAt }) => ({
      id,
      title,
      link,
      source: names.get(sourceId) ?? new URL(link).hostname,
      time: formatTime(shownAt, timeZone, true),
    })),
    hasOlder: rows.length > archivePageSize && filter.page < lastArchivePage,
    hasAny,
    posts: (sourceIds ? [] : shownPosts).map(({ title, link, at }) => ({
      title,
      link,
      shown: longDate(calendarDay(at, timeZone)),
    })),
    sections: Object.entries(sections.sections)
      .filter(([, section]) => hasAny && allSourcesOf(section).length > 0)
      .map(([id, { heading }]) => ({ id, heading })),
    sources: hasAny ? sources.map(({ id, name }) => ({ id, name })) : [],
  };
}

const allSources = ({ sections }: Sections): NamedSource[] => [
  ...new Map(
    Object.values(sections)
      .flatMap(allSourcesOf)
      .map((source) => [source.id, source]),
  ).values(),
];

/** The ids of the sources that a filter selects; undefined for all sources. */
function matchingSourceIds(
  { sections }: Sections,
  { section, source }: ArchiveFilter,
): string[] | undefined {
  const selected = section === null ? undefined : sections[section];
  if (!selected) return source === null ? undefined : [source];
  const ids = allSourcesOf(selected).map(({ id }) => id);
  return source === null ? ids : ids.filter((id) => id === source);
}

function inMonth(month: string, timeZone: string) {
  return and(
    gte(headlines.shownAt, instantAt(`${month}-01`, "00:00", timeZone)),
    lt(headlines.shownAt, instantAt(`${monthAfter(month)}-01`, "00:00", timeZone)),
  );
}

/** All months from the first to the last, newest first. */
function monthsBetween(first: string | undefined, last: string): string[] {
  const months: string[] = [];
  for (let month = first; month !== undefined && month <= last; month = monthAfter(month))
    months.unshift(month);
  return months;
}

function monthAfter(month: string): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}

const toMonth = (instant: Date, timeZone: string) => calendarDay(instant, timeZone).slice(0, 7);

const monthAndYear = formatByZone({ month: "long", year: "numeric" });
const monthLabel = (month: string) => monthAndYear("UTC").format(new Date(`${month}-01`));
