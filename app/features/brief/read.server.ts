import { and, asc, desc, eq, gt, like, lt, lte, sql } from "drizzle-orm";
import { calendarDay, clockTime, formatByZone } from "../../lib/dates.ts";
import type { PageScope } from "../../platform/page-scope.ts";
import { cacheTags } from "../../platform/tags.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import {
  createEventLookup,
  findEventStates,
  hasRealEvents,
} from "../events/listing/gather.server.ts";
import {
  findPublishedStories,
  listNewestStories,
  nextStoryDate,
} from "../stories/stories.server.ts";
import { contentSchema } from "./content.server.ts";
import type { BriefServices } from "./gather.server.ts";
import type { Brief, BriefListItem } from "./model.ts";
import { dailyBriefs } from "./schema.server.ts";

/** The page that shows a brief is rendered again when something that it shows has changed. */
export type BriefPageServices = BriefServices & PageScope;

type Row = typeof dailyBriefs.$inferSelect;

const { day, content, hasNews } = dailyBriefs;
const maxListTitles = 2;

/**
 * The condition for the briefs that readers may see: those that were not removed, until today. A
 * clock that once ran ahead may have stored the brief of a later day.
 */
const isShown = ({ site, clock }: Pick<BriefServices, "site" | "clock">) =>
  and(
    lte(day, calendarDay(clock(), site.read(siteSettingsFile).timeZone)),
    sql`not ${content} @> '{"isRemoved": true}'`,
  );

/** The newest brief, or null before the first. */
export async function findLatestBrief(services: BriefPageServices): Promise<Brief | null> {
  services.tags.add(cacheTags.brief);
  const rows = await services.db
    .select()
    .from(dailyBriefs)
    .where(isShown(services))
    .orderBy(desc(day))
    .limit(1);
  return (await toBriefs(services, rows))[0] ?? null;
}

export async function findBrief(
  services: BriefPageServices,
  wantedDay: string,
): Promise<Brief | null> {
  services.tags.add(cacheTags.brief);
  const rows = await services.db
    .select()
    .from(dailyBriefs)
    .where(and(eq(day, wantedDay), isShown(services)));
  return (await toBriefs(services, rows))[0] ?? null;
}

/** Whether the newsroom removed the brief of a day, and does not want a new one. */
export async function isBriefRemoved(
  { db }: Pick<BriefServices, "db">,
  ofDay: string,
): Promise<boolean> {
  const [row] = await db.select({ content }).from(dailyBriefs).where(eq(day, ofDay));
  return row !== undefined && contentSchema.parse(row.content).isRemoved;
}

/** The newest briefs for a feed: only those that have something besides samples. */
export async function listBriefsWithNews(
  services: BriefPageServices,
  count: number,
): Promise<(Brief & Pick<Row, "createdAt" | "updatedAt">)[]> {
  services.tags.add(cacheTags.brief);
  const rows = await services.db
    .select()
    .from(dailyBriefs)
    .where(and(eq(hasNews, true), isShown(services)))
    .orderBy(desc(day))
    .limit(count);
  const briefs = await toBriefs(services, rows);
  return rows.flatMap(({ createdAt, updatedAt }, index) => {
    const brief = briefs[index];
    return brief ? [{ ...brief, createdAt, updatedAt }] : [];
  });
}

/** The days before and after a day that have a brief. */
export async function findNeighborDays(
  services: Pick<BriefServices, "site" | "db" | "clock">,
  ofDay: string,
): Promise<{ earlier: BriefDay | null; later: BriefDay | null }> {
  const { db } = services;
  const [earlier] = await db
    .select({ day })
    .from(dailyBriefs)
    .where(and(lt(day, ofDay), isShown(services)))
    .orderBy(desc(day))
    .limit(1);
  const [later] = await db
    .select({ day })
    .from(dailyBriefs)
    .where(and(gt(day, ofDay), isShown(services)))
    .orderBy(asc(day))
    .limit(1);
  return { earlier: earlier ? toBriefDay(earlier) : null, later: later ? toBriefDay(later) : null };
}

export type BriefDay = { day: string; date: string };
const toBriefDay = ({ day }: { day: string }): BriefDay => ({ day, date: dateOf(day) });

/** The months that have briefs, such as 2026-11, newest first. */
export async function listBriefMonths(services: BriefPageServices): Promise<string[]> {
  services.tags.add(cacheTags.brief);
  const month = sql<string>`left(${day}, 7)`;
  const rows = await services.db
    .selectDistinct({ month })
    .from(dailyBriefs)
    .where(isShown(services))
    .orderBy(desc(month));
  return rows.map((row) => row.month);
}

/** The briefs of a month, newest first. */
export async function listBriefsOfMonth(
  services: BriefPageServices,
  month: string,
): Promise<BriefListItem[]> {
  services.tags.add(cacheTags.brief);
  const rows = await services.db
    .select()
    .from(dailyBriefs)
    .where(and(like(day, `${month}-%`), isShown(services)))
    .orderBy(desc(day));
  const briefs = await toBriefs(services, rows);
  return briefs.map(({ day, date, headlines, stories, goodToKnow }) => ({
    day,
    date,
    // The list has no room for the mark of a sample.
    titles: [...headlines, ...stories.filter(({ isSample }) => !isSample), ...goodToKnow]
      .slice(0, maxListTitles)
      .map(({ title }) => title),
  }));
}

const fullDate = formatByZone({ dateStyle: "full" });

const dateOf = (briefDay: string) => fullDate("UTC").format(new Date(briefDay));

/**
 * Adds what may have changed since the briefs were made. Stories that are no longer published,
 * readers' events that were removed, and samples that have given way to the city's own content are
 * left out. Other events without a page lose their link.
 */
async function toBriefs(services: BriefPageServices, rows: Row[]): Promise<Brief[]> {
  const { site, tags, expireAt } = services;
  const settings = site.read(siteSettingsFile);
  const { timeZone } = settings;
  const briefs = rows.map((row) => ({ ...row, content: contentSchema.parse(row.content) }));
  tags.add(cacheTags.stories);
  const storiesChangeAt = nextStoryDate(services);
  if (storiesChangeAt) expireAt(storiesChangeAt);
  const storyIds = new Set(briefs.flatMap(({ content }) => content.stories));
  const stories = await findPublishedStories(services, [...storyIds]);
  const eventIds = new Set(briefs.flatMap(({ content }) => content.events.map(({ id }) => id)));
  const lookup = createEventLookup(services, settings);
  const states = await findEventStates(lookup, [...eventIds]);
  const hasOwnEvents = await hasRealEvents(lookup);
  const hasOwnStories = (await listNewestStories(services, 1)).some(({ isSample }) => !isSample);
  return briefs.map(({ day: briefDay, content, hasNews, updatedAt }) => ({
    day: briefDay,
    date: dateOf(briefDay),
    madeAt: { iso: updatedAt.toISOString(), shown: clockTime(updatedAt, timeZone) },
    headlines: content.headlines,
    goodToKnow: content.goodToKnow,
    areEventsToday: content.areEventsToday,
    events: content.events
      .filter(({ id, isFromReader }) => !isFromReader || states.has(id))
      .filter(({ isSample }) => !isSample || !hasOwnEvents)
      .map(({ id, title, when, location, isSample }) => ({
        title,
        path: states.has(id) ? `/events/${id}` : null,
        when,
        location,
        isSample,
        isCanceled: states.get(id)?.isCanceled ?? false,
      })),
    stories: content.stories
      .flatMap((id) => stories.get(id) ?? [])
      .filter(({ isSample }) => !isSample || !hasOwnStories)
      .map(({ id, title, excerpt, date, isSample, isFromReader }) => ({
        title,
        path: `/news/${id}`,
        excerpt,
        date,
        isSample,
        isFromReader,
      })),
    fact: content.fact,
    hasNews,
  }));
}

/** The days of all briefs that search engines may list, with their last change. */
export const listBriefDays = (services: Pick<BriefServices, "site" | "db" | "clock">) =>
  services.db
    .select({ day, updatedAt: dailyBriefs.updatedAt })
    .from(dailyBriefs)
    .where(and(eq(hasNews, true), isShown(services)))
    .orderBy(desc(day));
