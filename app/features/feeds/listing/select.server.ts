import { and, desc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { readSharedOr, type SharedRead } from "../../../../db/shared-reads.ts";
import { daysBefore, formatByZone } from "../../../lib/dates.ts";
import { createMemo } from "../../../lib/memo.ts";
import { createSentenceCase } from "../../../lib/text/typography/sentence-case.ts";
import { createWordMatcher } from "../../../lib/text/whole-words.ts";
import type { PageServices } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import type { SiteContent } from "../../../site-files/site-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { neighborhoodsFile } from "../../places/files.server.ts";
import { isDayOnly } from "../feed-dates.ts";
import { type ActiveSource, type NamedSource, sectionsFile } from "../files.server.ts";
import type { Headline } from "../model.ts";
import { feedItems, headlineColumns, headlines, newestFirst } from "../schema.server.ts";

/** The maximum number of items that are read from each source for a list of `maxHeadlines`. */
const maxItemsPerSource = 60;
export const maxHeadlines = 40;
/**
 * Even a newsroom that names a place in every headline has fewer in the days that a page covers.
 */
const maxItemsAbout = 1_000;

type ItemRow = {
  /** The id of the headline, which several feed items share. */
  id: string;
  sourceId: string;
  firstSourceId: string;
  title: string;
  link: string;
  summary: string;
  shownAt: Date;
  /** When we found the headline, which is when our pages changed. */
  firstSeenAt: Date;
};

type Selection = HeadlineStyle & {
  count?: number;
  maxPerSource: number;
  /** The labels of the sources that are not local. If set, local headlines come first. */
  labels?: ReadonlyMap<string, string> | undefined;
};

/** Picks the newest headlines, without duplicates and at most `maxPerSource` per source. */
export function pickHeadlines(
  items: ItemRow[],
  sources: ActiveSource[],
  { count = maxHeadlines, maxPerSource, places, timeZone, toTitle, labels }: Selection,
): Headline[] {
  const sourcesById = new Map(sources.map((source) => [source.id, source]));
  const namesOurPlaces = createWordMatcher(places);
  const rows = items.filter(({ sourceId, title, summary }) => {
    const source = sourcesById.get(sourceId);
    return source && (!source.onlyPlaces || namesOurPlaces(`${title} ${summary}`));
  });
  const isLocal = (group: ItemRow[]) =>
    labels !== undefined && group.some(({ sourceId }) => !labels.has(sourceId));
  // A headline has the title and time of the source that published it first. The other sources are
  // listed next to it.
  const groups = [...Map.groupBy(rows, ({ id }) => id).values()]
    .map((group) => group.toSorted((a, b) => Number(isFromFirst(b)) - Number(isFromFirst(a))))
    .sort(
      (one, other) =>
        Number(isLocal(other)) - Number(isLocal(one)) ||
        (other[0]?.shownAt.getTime() ?? 0) - (one[0]?.shownAt.getTime() ?? 0),
    );
  const shownPerSource = new Map<string, number>();
  const limit = sourcesById.size > 1 ? maxPerSource : maxHeadlines;
  return groups
    .flatMap((group): Headline[] => {
      const [first, ...others] = group;
      const source = first && sourcesById.get(first.sourceId);
      const shownCount = shownPerSource.get(first?.sourceId ?? "") ?? 0;
      if (!first || !source || shownCount >= limit) return [];
      shownPerSource.set(source.id, shownCount + 1);
      const also = new Map(
        others
          .filter(({ sourceId }) => sourceId !== first.sourceId)
          .map(({ sourceId, link }) => [
            sourceId,
            { source: sourcesById.get(sourceId)?.name ?? "", link },
          ]),
      );
      const label = isLocal(group) ? undefined : labels?.get(first.sourceId);
      return [
        {
          id: first.id,
          title: toTitle(first.title),
          link: first.link,
          summary: first.summary,
          source: source.name,
          time: formatTime(first.shownAt, timeZone),
          foundAt: first.firstSeenAt.toISOString(),
          also: [...also.values()],
          paywall: source.paywall,
          ...(label === undefined ? {} : { label }),
        },
      ];
    })
    .slice(0, count);
}

/** Whether the item is of the source that published the headline first. */
const isFromFirst = ({ sourceId, firstSourceId }: ItemRow) => sourceId === firstSourceId;

const itemColumns = {
  id: sql<string>`${headlines.id}::text`,
  sourceId: feedItems.sourceId,
  firstSourceId: headlines.sourceId,
  title: feedItems.title,
  link: feedItems.link,
  summary: feedItems.summary,
  shownAt: feedItems.shownAt,
  firstSeenAt: headlines.firstSeenAt,
};

export const newestItems = (sourceId: string): SharedRead<ItemRow[]> => ({
  name: `headlines of ${sourceId}`,
  tags: [cacheTags.source(sourceId)],
  load: (db) =>
    db
      .select(itemColumns)
      .from(feedItems)
      .innerJoin(headlines, eq(headlines.id, feedItems.headlineId))
      .where(eq(feedItems.sourceId, sourceId))
      .orderBy(newestFirst(feedItems.shownAt), desc(headlines.id))
      .limit(maxItemsPerSource),
});

/**
 * Reads the newest items of each of these sources: a busy source does not crowd out the others. The
 * page that shows them is purged when one of the sources changes.
 */
export function readNewestItems(
  { db, tags }: Pick<PageServices, "db" | "tags">,
  sources: { id: string }[],
): Promise<ItemRow[][]> {
  const ids = [...new Set(sources.map(({ id }) => id))];
  for (const id of ids) tags.add(cacheTags.source(id));
  return Promise.all(ids.map((id) => readSharedOr(db, newestItems(id), [])));
}

export const mergeItems = (lists: ItemRow[][]): ItemRow[] =>
  lists.flat().sort((a, b) => b.shownAt.getTime() - a.shownAt.getTime());

/**
 * Reads the newest items whose headline has one of the words. The text index compares stems, so it
 * also finds "Hampdens" for "Hampden", and the caller has to compare the words again.
 */
export async function readItemsAbout(
  db: Database,
  sources: { id: string }[],
  words: string[],
  since: Date,
): Promise<ItemRow[]> {
  if (words.length === 0 || sources.length === 0) return [];
  const queries = words.map((word) => sql`phraseto_tsquery('harborline', search_plain(${word}))`);
  return db
    .select(itemColumns)
    .from(feedItems)
    .innerJoin(headlines, eq(headlines.id, feedItems.headlineId))
    .where(
      and(
        sql`${headlines.searchVector} @@ (${sql.join(queries, sql` || `)})`,
        gt(feedItems.shownAt, since),
        inArray(
          feedItems.sourceId,
          sources.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(newestFirst(feedItems.shownAt), desc(headlines.id))
    .limit(maxItemsAbout);
}

/** Returns the newest headlines that are at least a week old, which the archive shows first. */
export async function selectArchived(
  db: Database,
  sources: NamedSource[],
  now: Date,
  { timeZone, toTitle }: HeadlineStyle,
): Promise<Headline[]> {
  const sourcesById = new Map(sources.map((source) => [source.id, source]));
  const rows = await db
    .select(headlineColumns)
    .from(headlines)
    .where(lt(headlines.shownAt, daysBefore(now, 7)))
    .orderBy(newestFirst(headlines.shownAt), desc(headlines.id))
    .limit(maxHeadlines);
  return rows.map(({ id, title, link, summary, sourceId, shownAt, firstSeenAt }) => ({
    id: String(id),
    title: toTitle(title),
    link,
    summary,
    source: sourcesById.get(sourceId)?.name ?? new URL(link).hostname,
    time: formatTime(shownAt, timeZone, { withYear: true }),
    foundAt: firstSeenAt.toISOString(),
    also: [],
    paywall: sourcesById.get(sourceId)?.paywall ?? false,
  }));
}

const dayOptions = { month: "short", day: "numeric" } as const;
const timeOptions = { hour: "numeric", minute: "2-digit" } as const;
const yearOptions = { year: "numeric" } as const;
const formats = {
  day: formatByZone(dayOptions),
  dayWithYear: formatByZone({ ...yearOptions, ...dayOptions }),
  dayAndTime: formatByZone({ ...dayOptions, ...timeOptions }),
  dayAndTimeWithYear: formatByZone({ ...yearOptions, ...dayOptions, ...timeOptions }),
};

/** Formats the date and time of a headline, or only its date if the source gives no time. */
export function formatTime(
  instant: Date,
  timeZone: string,
  { withYear = false }: { withYear?: boolean } = {},
): { iso: string; shown: string } {
  const iso = instant.toISOString();
  if (isDayOnly(instant))
    return {
      iso: iso.slice(0, 10),
      shown: (withYear ? formats.dayWithYear : formats.day)("UTC").format(instant),
    };
  return {
    iso,
    shown: (withYear ? formats.dayAndTimeWithYear : formats.dayAndTime)(timeZone).format(instant),
  };
}

/** Parses the `iso` of `formatTime`, for comparisons only: `isDayOnly` does not know the result. */
export const parseShownTime = (iso: string): Date =>
  new Date(iso.length === 10 ? `${iso}T12:00:00Z` : iso);

/** What the city's files say about the selection and the look of headlines. */
export type HeadlineStyle = {
  /** A headline of a source with `onlyPlaces` names one of these. */
  places: string[];
  timeZone: string;
  /** Returns the title of a headline as pages show it. The database stores titles as received. */
  toTitle: ToTitle;
};

export type ToTitle = (title: string) => string;

const styles = createMemo<HeadlineStyle>();

/** Headlines in capitals are shown in sentence case. */
export function readHeadlineStyle(site: SiteContent): HeadlineStyle {
  const settings = site.read(siteSettingsFile);
  const neighborhoods = site.read(neighborhoodsFile);
  const { places } = site.read(sectionsFile);
  const { timeZone, city, state = city } = settings;
  return styles("all", [settings, neighborhoods, site.read(sectionsFile)], () => ({
    places,
    timeZone,
    toTitle: createSentenceCase([
      city,
      state,
      ...places,
      ...neighborhoods.flatMap(({ name, words }) => [...words, name]),
    ]),
  }));
}
