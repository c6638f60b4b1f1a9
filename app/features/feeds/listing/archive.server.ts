import { and, desc, gte, inArray, lt, min } from "drizzle-orm";
import { calendarDay, instantAt, longDate, longMonth } from "../../../lib/dates.ts";
import { readPageNumber, toPageParam } from "../../../lib/links/query.ts";
import type { PageServices } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { listSectionSources, type NamedSource, type Sections } from "../files.server.ts";
import { headlineColumns, headlines, newestFirst } from "../schema.server.ts";
import { formatTime, readHeadlineStyle } from "./select.server.ts";

const archivePageSize = 50;
/** The last page of a list in the archive. To see older headlines, readers choose a month. */
const lastArchivePage = 100;

/** The choices of a reader of the archive. Invalid choices are ignored. */
export type ArchiveFilter = {
  month: string | null;
  section: string | null;
  source: string | null;
  page: number;
};

/** A post or a story of our own, which the archive lists in addition to the headlines. */
type OwnText = {
  title: string;
  link: string;
  at: Date;
  /** What readers should know before they open it, such as "From a reader". */
  mark?: string | null;
};

type OwnTexts = {
  /** All our posts, newest first. */
  posts: OwnText[];
  /** Our stories of the chosen month and section, newest first. */
  stories: OwnText[];
  /** The month of our oldest story. */
  firstMonth: string | undefined;
};

const maxNewestPosts = 6;

export function parseArchiveFilter(query: URLSearchParams, sections: Sections): ArchiveFilter {
  const month = query.get("month");
  const section = query.get("section");
  const source = query.get("source");
  return {
    month: month !== null && /^(?:19[7-9]|20\d)\d-(?:0[1-9]|1[0-2])$/.test(month) ? month : null,
    section: section !== null && Object.hasOwn(sections.sections, section) ? section : null,
    source: listAllSources(sections).some(({ id }) => id === source) ? source : null,
    page: readPageNumber(query, lastArchivePage),
  };
}

export const toArchiveParams = ({ month, section, source, page }: ArchiveFilter) => ({
  month,
  section,
  source,
  page: toPageParam(page),
});

/** Reads one page of the archive. It counts no rows, so it stays fast when the archive grows. */
export async function readArchive(
  { db, site, clock, tags }: PageServices,
  sections: Sections,
  own: OwnTexts,
  filter: ArchiveFilter,
) {
  tags.add(cacheTags.headlines);
  const { timeZone, toTitle } = readHeadlineStyle(site);
  const sources = listAllSources(sections);
  const names = new Map(sources.map(({ id, name }) => [id, name]));
  const sourceIds = listSelectedSourceIds(sections, filter);
  const rows = await db
    .select(headlineColumns)
    .from(headlines)
    .where(
      and(
        sourceIds && inArray(headlines.sourceId, sourceIds),
        filter.month === null ? undefined : isInMonth(filter.month, timeZone),
      ),
    )
    .orderBy(newestFirst(headlines.shownAt), desc(headlines.id))
    .limit(archivePageSize + 1)
    .offset((filter.page - 1) * archivePageSize);
  const [oldest] = await db.select({ shownAt: min(headlines.shownAt) }).from(headlines);
  const hasAny = oldest?.shownAt != null;
  const posts = own.posts.map((post) => ({ ...post, month: toMonth(post.at, timeZone) }));
  const firstMonth = [
    own.firstMonth,
    posts.at(-1)?.month,
    oldest?.shownAt && toMonth(oldest.shownAt, timeZone),
  ]
    .filter((month) => month !== null && month !== undefined)
    .sort()[0];
  const shownPosts =
    filter.month === null
      ? posts.slice(0, maxNewestPosts)
      : posts.filter((post) => post.month === filter.month);
  const labels = [
    filter.month && longMonth(filter.month),
    filter.section && sections.sections[filter.section]?.heading,
    filter.source && names.get(filter.source),
  ];
  return {
    filter,
    sourceName: names.get(filter.source ?? "") ?? null,
    // The filter in words, such as "October 2026, Sports". Empty if there is no filter.
    filterLabel: labels.filter((label) => label).join(", "),
    months: listMonths(firstMonth, toMonth(clock(), timeZone)).map((month) => ({
      month,
      label: longMonth(month),
    })),
    headlines: rows.slice(0, archivePageSize).map(({ id, title, link, sourceId, shownAt }) => ({
      id,
      title: toTitle(title),
      link,
      source: names.get(sourceId) ?? new URL(link).hostname,
      time: formatTime(shownAt, timeZone, { withYear: true }),
    })),
    hasOlder: rows.length > archivePageSize && filter.page < lastArchivePage,
    // Whether the archive has any headline at all, regardless of the filter.
    hasAny,
    stories: own.stories.map((story) => describeOwnText(story, timeZone)),
    posts: (sourceIds ? [] : shownPosts).map((post) => describeOwnText(post, timeZone)),
    sections: Object.entries(sections.sections)
      .filter(([, section]) => hasAny && listSectionSources(section).length > 0)
      .map(([id, { heading }]) => ({ id, heading })),
    sources: hasAny ? sources.map(({ id, name }) => ({ id, name })) : [],
  };
}

export type Archive = Awaited<ReturnType<typeof readArchive>>;

const describeOwnText = ({ title, link, at, mark }: OwnText, timeZone: string) => ({
  title,
  link,
  shown: [longDate(calendarDay(at, timeZone)), mark].filter(Boolean).join(" · "),
});

const listAllSources = ({ sections }: Sections): NamedSource[] => [
  ...new Map(
    Object.values(sections)
      .flatMap(listSectionSources)
      .map((source) => [source.id, source]),
  ).values(),
];

/** Undefined if the filter selects all sources. */
function listSelectedSourceIds({ sections }: Sections, { section, source }: ArchiveFilter) {
  const selectedSection = section === null ? undefined : sections[section];
  if (!selectedSection) return source === null ? undefined : [source];
  const ids = listSectionSources(selectedSection).map(({ id }) => id);
  return source === null ? ids : ids.filter((id) => id === source);
}

function isInMonth(month: string, timeZone: string) {
  return and(
    gte(headlines.shownAt, instantAt(`${month}-01`, "00:00", timeZone)),
    lt(headlines.shownAt, instantAt(`${nextMonth(month)}-01`, "00:00", timeZone)),
  );
}

function listMonths(first: string | undefined, last: string): string[] {
  const months: string[] = [];
  for (let month = first; month !== undefined && month <= last; month = nextMonth(month))
    months.unshift(month);
  return months;
}

function nextMonth(month: string): string {
  const [year = 0, monthNumber = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, monthNumber, 1)).toISOString().slice(0, 7);
}

const toMonth = (instant: Date, timeZone: string) => calendarDay(instant, timeZone).slice(0, 7);
