import { desc } from "drizzle-orm";
import { orIfUnavailable } from "../../../db/failures.ts";
import { readShared, type SharedRead } from "../../../db/shared-reads.ts";
import { addDays, calendarDay, clockTime, formatByZone } from "../../lib/dates.ts";
import type { PageServices, Services } from "../../platform/services.ts";
import { cacheTags } from "../../platform/tags.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import type { CityEvent } from "../events/listing/city-event.ts";
import { createEventLookup, findEvents, hasRealEvents } from "../events/listing/gather.server.ts";
import { createMeetingLookup, listMeetings } from "../events/meetings/gather.server.ts";
import { meetingPath } from "../events/meetings/model.ts";
import { eventsPath } from "../events/model.ts";
import { withoutTakenDown } from "../file-notes/taken-down.server.ts";
import { storyPath } from "../stories/model.ts";
import { findPublishedStories, readStoriesOrSamples } from "../stories/stories.server.ts";
import { describeEvent, describeMeeting } from "./gather.server.ts";
import type { Brief } from "./model.ts";
import { type BriefContent, dailyBriefs } from "./schema.server.ts";

type Row = typeof dailyBriefs.$inferSelect;

const maxListTitles = 2;

/** All briefs, the newest first. With 6 KB each, those of a year take about 2 MB of memory. */
export const storedBriefs: SharedRead<Row[]> = {
  name: "briefs",
  tags: [cacheTags.brief],
  load: (db) => db.select().from(dailyBriefs).orderBy(desc(dailyBriefs.day)).execute(),
};

/**
 * The briefs that readers may see, newest first. A clock that once ran ahead may have stored a
 * brief of a later day, which is not shown yet.
 */
async function readShown({ site, db, clock, tags }: PageServices): Promise<Row[]> {
  tags.add(cacheTags.brief);
  const today = calendarDay(clock(), site.read(siteSettingsFile).timeZone);
  const rows = await readShared(db, storedBriefs);
  return rows.filter(({ day, content }) => day <= today && !content.isRemoved);
}

export async function findLatestBrief(services: PageServices): Promise<Brief | null> {
  const newest = (await readShown(services)).slice(0, 1);
  return (await toBriefs(services, newest))[0] ?? null;
}

/** Whether readers can read the brief of this day, or else of the day before. Null if neither. */
export async function findRecentBrief(services: PageServices, today: string) {
  const rows = await orIfUnavailable(readShown(services), []);
  const hasBrief = (day: string) => rows.some((row) => row.day === day);
  if (hasBrief(today)) return "today";
  return hasBrief(addDays(today, -1)) ? "yesterday" : null;
}

export async function findBrief(services: PageServices, wantedDay: string): Promise<Brief | null> {
  const rows = (await readShown(services)).filter(({ day }) => day === wantedDay);
  return (await toBriefs(services, rows))[0] ?? null;
}

/** Whether the newsroom removed the brief of this day, so that there will be no new one. */
export async function isBriefRemoved({ db }: Pick<Services, "db">, ofDay: string) {
  const rows = await readShared(db, storedBriefs);
  return rows.some(({ day, content }) => day === ofDay && content.isRemoved);
}

export async function listBriefsWithNews(services: PageServices, count: number) {
  const rows = (await readShown(services)).filter(({ hasNews }) => hasNews).slice(0, count);
  const briefs = await toBriefs(services, rows);
  return rows.flatMap(({ createdAt, updatedAt }, index) => {
    const brief = briefs[index];
    return brief ? [{ ...brief, createdAt, updatedAt }] : [];
  });
}

export async function findNeighborDays(services: PageServices, ofDay: string) {
  const days = (await readShown(services)).map(({ day }) => day);
  const earlier = days.find((each) => each < ofDay);
  const later = days.findLast((each) => each > ofDay);
  return { earlier: toBriefDay(earlier), later: toBriefDay(later) };
}

type BriefDay = { day: string; date: string };
const toBriefDay = (ofDay: string | undefined): BriefDay | null =>
  ofDay === undefined ? null : { day: ofDay, date: dateOf(ofDay) };

export async function listBriefMonths(services: PageServices): Promise<string[]> {
  const rows = await readShown(services);
  return [...new Set(rows.map(({ day }) => day.slice(0, 7)))];
}

export async function listBriefsOfMonth(services: PageServices, month: string) {
  const rows = (await readShown(services)).filter(({ day }) => day.startsWith(`${month}-`));
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
 * Adds what may have changed since the briefs were made. Leaves out stories that are no longer
 * published and what leads to them, readers' events that were removed, and samples that have given
 * way to the city's own content. Other events without a page lose their link.
 */
async function toBriefs(services: PageServices, rows: Row[]): Promise<Brief[]> {
  const { site } = services;
  const { timeZone } = site.read(siteSettingsFile);
  const links = rows.flatMap(({ content }) => [
    ...content.goodToKnow.map(({ link }) => link),
    ...content.events.map(({ id }) => `/events/${id}`),
    content.fact?.link?.url,
  ]);
  const slugs = rows.flatMap(({ content }) => content.stories);
  const linkedSlugs = links.flatMap((link) => readStorySlug(link) ?? []);
  const stories = await findPublishedStories(services, [...new Set([...slugs, ...linkedSlugs])]);
  const eventIds = new Set(rows.flatMap(({ content }) => content.events.map(({ id }) => id)));
  const lookup = site.hasPage(eventsPath) ? createEventLookup(services) : null;
  const events = lookup ? await findEvents(lookup, [...eventIds]) : new Map<string, CityEvent>();
  const hasOwnEvents = lookup !== null && (await hasRealEvents(lookup));
  const meetings = new Map(
    (await listMeetings(createMeetingLookup(services))).map((meeting) => [meeting.id, meeting]),
  );
  const hasOwnMeetings = meetings.values().some(({ isSample }) => !isSample);
  const hasOwnStories = (await readStoriesOrSamples(services)).some(({ isSample }) => !isSample);
  const notTakenDown = await withoutTakenDown(services, links, (link) => link);
  const shownLinks = new Set(
    notTakenDown.filter((link) => {
      const slug = readStorySlug(link);
      return slug === null || stories.has(slug);
    }),
  );
  return rows.map(({ day: briefDay, content, hasNews, updatedAt }) => ({
    day: briefDay,
    date: dateOf(briefDay),
    madeAt: { iso: updatedAt.toISOString(), shown: clockTime(updatedAt, timeZone) },
    headlines: content.headlines,
    goodToKnow: content.goodToKnow.filter(({ link }) => shownLinks.has(link)),
    areEventsToday: content.areEventsToday,
    events: (lookup ? content.events : [])
      .filter(({ id, isFromReader }) => !isFromReader || events.has(id))
      .filter(({ id }) => shownLinks.has(`/events/${id}`))
      .filter(({ isSample }) => !isSample || !hasOwnEvents)
      .map((stored) => {
        const event = events.get(stored.id);
        const { title, when, location, isSample } = correctEvent(stored, event, briefDay, timeZone);
        const path = event ? `/events/${stored.id}` : null;
        return { title, path, when, location, isSample, isCanceled: event?.isCanceled ?? false };
      }),
    meetings: content.meetings
      .filter(({ isSample }) => !isSample || !hasOwnMeetings)
      .map(({ id, ...stored }) => {
        const meeting = meetings.get(id);
        const isMoved =
          meeting !== undefined &&
          !meeting.isSample &&
          calendarDay(meeting.startsAt, timeZone) !== briefDay;
        const { title, when, time, location, isSample } =
          meeting && !isMoved ? describeMeeting(meeting, timeZone) : stored;
        const change = meeting?.isCanceled ? "Canceled" : isMoved ? "Moved" : null;
        return { title, path: meetingPath(id), when, time, location, isSample, change };
      }),
    stories: content.stories
      .flatMap((slug) => stories.get(slug) ?? [])
      .filter(({ isSample }) => !isSample || !hasOwnStories)
      .map(({ slug, title, excerpt, date, isSample, isFromReader }) => ({
        title,
        path: storyPath(slug),
        excerpt,
        date,
        isSample,
        isFromReader,
      })),
    fact: content.fact && {
      ...content.fact,
      link: shownLinks.has(content.fact.link?.url) ? content.fact.link : null,
    },
    hasNews,
  }));
}

/** The slug of the story to which a typed link leads. Null if it leads elsewhere. */
const readStorySlug = (link: unknown): string | null =>
  /^\/news\/([^/?#]+)/.exec(String(link))?.[1] ?? null;

/**
 * Corrects an event, except for the date of a repeated event, of which only the next date is known,
 * and of a sample, whose date moves every day.
 */
function correctEvent(
  stored: BriefContent["events"][number],
  event: CityEvent | undefined,
  briefDay: string,
  timeZone: string,
): BriefContent["events"][number] {
  if (!event) return stored;
  const current = describeEvent(event, briefDay, timeZone);
  const { isSeries, isSample, startsAt } = event;
  const isOtherDate = (isSeries || isSample) && calendarDay(startsAt, timeZone) !== briefDay;
  return isOtherDate ? { ...current, when: stored.when } : current;
}

/** The briefs that search engines may list. */
export const listBriefDays = async (services: PageServices): Promise<Row[]> =>
  (await readShown(services)).filter(({ hasNews }) => hasNews);
