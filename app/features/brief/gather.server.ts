import { calendarDay, daysBefore, instantAt } from "../../lib/dates.ts";
import { noPage, type Services } from "../../platform/services.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { type CityEvent, isMeeting, type Meeting } from "../events/listing/city-event.ts";
import { isOver, toEventItem } from "../events/listing/describe.server.ts";
import { createEventLookup } from "../events/listing/gather.server.ts";
import { isOnView, oncePerSeries } from "../events/listing/select.server.ts";
import { listUpcomingEvents } from "../events/listing/view.server.ts";
import { shortTime } from "../events/meetings/describe.server.ts";
import { createMeetingLookup, listMeetings } from "../events/meetings/gather.server.ts";
import { eventsPath, noFilter } from "../events/model.ts";
import { goodToKnowFile } from "../feeds/files.server.ts";
import { findSameNews } from "../feeds/listing/blocks.server.ts";
import { readHeadlineList } from "../feeds/listing/content.server.ts";
import { parseShownTime } from "../feeds/listing/select.server.ts";
import { type Headline, localSection, newsSection, rotateDaily } from "../feeds/model.ts";
import type { StoryRecord } from "../stories/record.server.ts";
import { listStoriesOrSamples } from "../stories/stories.server.ts";
import { briefFile } from "./files.server.ts";
import type { BriefContent } from "./schema.server.ts";

const maxHeadlines = 8;
/** If there are fewer headlines than this from the last day, older ones follow. */
export const minHeadlines = 5;
const maxPerSource = 2;
/** A local source may have one more headline before headlines from elsewhere follow. */
const maxPerLocalSource = 3;
const maxHeadlineAgeDays = 3;
const goodToKnowCount = 5;
const maxEvents = 6;
const maxNextEvents = 3;
const nextEventsDays = 7;
const maxMeetings = 5;
const eveningTime = "17:00";
const maxStories = 3;
/** The maximum with the stories that are published after the brief was made. */
const maxStoriesOfDay = 6;

export type BriefServices = Pick<Services, "site" | "db" | "clock" | "log">;

/** Gathers the brief of today, without the headlines that the newsroom removed from it before. */
export async function gatherBrief(services: BriefServices, removedLinks: string[] = []) {
  const { site, clock } = services;
  const day = calendarDay(clock(), site.read(siteSettingsFile).timeZone);
  const stories = await gatherStories(services, day);
  const headlines = await gatherHeadlines(services, removedLinks, stories);
  const { areEventsToday, events } = await gatherEvents(services, day);
  const meetings = await gatherMeetings(services, day);
  const [fact] = rotateDaily(site.read(briefFile).facts, day, 1);
  return {
    content: {
      headlines,
      goodToKnow: headlines.length > 0 ? [] : gatherGoodToKnow(services, day),
      areEventsToday,
      events,
      meetings,
      stories: stories.map(({ slug }) => slug),
      fact: fact ? { text: fact.text, link: fact.link ?? null } : null,
      removedLinks,
      isRemoved: false,
    },
    hasNews:
      headlines.length > 0 ||
      [...events, ...meetings, ...stories].some(({ isSample }) => isSample === false),
  };
}

/** Whether a headline is from the day before the brief was made. */
export const isFresh = ({ time }: Pick<Headline, "time">, now: Date) =>
  parseShownTime(time.iso) >= daysBefore(now, 1);

/** The headlines of other newsrooms, without those that tell the same news as our stories. */
async function gatherHeadlines(
  services: BriefServices,
  removedLinks: string[],
  stories: StoryRecord[],
): Promise<BriefContent["headlines"]> {
  const scope = { ...services, ...noPage };
  const local = await readHeadlineList(scope, localSection);
  const all = await readHeadlineList(scope, newsSection);
  const [ofCity = [], ofAll = []] = [local, all].map((list) => {
    const headlines = list?.headlines ?? [];
    const dated = headlines.map(({ id, title, time }) => ({
      id,
      title,
      shownAt: parseShownTime(time.iso),
    }));
    const sameIds = new Set(stories.flatMap((story) => findSameNews(dated, story)));
    return headlines.filter(({ id, link }) => !sameIds.has(id) && !removedLinks.includes(link));
  });
  return selectHeadlines(ofCity, ofAll, services.clock()).map(
    ({ title, link, source, summary, time, paywall }) => ({
      title,
      link,
      source,
      summary,
      time,
      paywall,
    }),
  );
}

/**
 * Selects headlines of the last day, local ones first and not many of one source. If there are too
 * few, more of the same sources follow, and then older headlines.
 */
export function selectHeadlines(local: Headline[], all: Headline[], now: Date): Headline[] {
  const byId = new Map<string, Headline>();
  for (const headline of [...local, ...all])
    if (!byId.has(headline.id)) byId.set(headline.id, headline);
  const unique = [...byId.values()];
  const selected = new Set<Headline>();
  function take(headlines: Headline[], maxCount: number, maxOfSource: number) {
    for (const headline of headlines) {
      const ofSource = [...selected].filter(({ source }) => source === headline.source);
      if (selected.size < maxCount && ofSource.length < maxOfSource) selected.add(headline);
    }
  }
  const fresh = unique.filter((headline) => isFresh(headline, now));
  const freshLocal = fresh.filter((headline) => local.includes(headline));
  take(freshLocal, maxHeadlines, maxPerSource);
  take(freshLocal, maxHeadlines, maxPerLocalSource);
  take(fresh, maxHeadlines, maxPerSource);
  const first = unique.filter((headline) => selected.has(headline));
  const recent = unique.filter(
    ({ time }) => parseShownTime(time.iso) >= daysBefore(now, maxHeadlineAgeDays),
  );
  take([...fresh, ...recent], minHeadlines, maxHeadlines);
  return [...first, ...[...selected].filter((headline) => !first.includes(headline))];
}

function gatherGoodToKnow({ site }: BriefServices, day: string): BriefContent["goodToKnow"] {
  const lists = site.read(goodToKnowFile);
  const items = lists[localSection] ?? Object.values(lists).flat();
  return rotateDaily(items, day, goodToKnowCount).slice(0, goodToKnowCount);
}

/**
 * Gathers the events of the day or, if there are none, the next ones. An exhibition counts only on
 * its first day, because it would otherwise be in every brief for weeks.
 */
async function gatherEvents(services: BriefServices, day: string) {
  if (!services.site.hasPage(eventsPath)) return { areEventsToday: false, events: [] };
  const settings = services.site.read(siteSettingsFile);
  const { timeZone } = settings;
  const lookup = createEventLookup({ ...services, ...noPage });
  const soonDay = calendarDay(daysBefore(lookup.now, -nextEventsDays), timeZone);
  const dayOf = ({ startsAt }: CityEvent) => calendarDay(startsAt, timeZone);
  const upcoming = (await listUpcomingEvents(lookup, noFilter)).filter(
    (event) =>
      !isMeeting(event) &&
      dayOf(event) <= soonDay &&
      (dayOf(event) === day || !isOnView(event, lookup.now)),
  );
  const ofToday = upcoming.filter((event) => dayOf(event) <= day);
  const areEventsToday = ofToday.length > 0;
  const candidates = oncePerSeries(areEventsToday ? ofToday : upcoming).toSorted(
    (one, other) => Number(dayOf(one) < day) - Number(dayOf(other) < day),
  );
  return {
    areEventsToday,
    events: candidates
      .slice(0, areEventsToday ? maxEvents : maxNextEvents)
      .map((event) => describeEvent(event, day, timeZone)),
  };
}

async function gatherMeetings(services: BriefServices, day: string) {
  const lookup = createMeetingLookup({ ...services, ...noPage });
  const { now, timeZone } = lookup;
  return (await listMeetings(lookup))
    .filter(
      (meeting) =>
        !meeting.isCanceled &&
        !isOver(meeting, now) &&
        calendarDay(meeting.startsAt, timeZone) === day,
    )
    .slice(0, maxMeetings)
    .map((meeting) => describeMeeting(meeting, timeZone));
}

/** A meeting as the brief of its day shows it: "Tonight: Board of Estimates, 6 PM". */
export function describeMeeting(
  { id, title, startsAt, allDay, location, isSample }: Meeting,
  timeZone: string,
): BriefContent["meetings"][number] {
  const evening = instantAt(calendarDay(startsAt, timeZone), eveningTime, timeZone);
  return {
    id,
    title,
    when: !allDay && startsAt >= evening ? "Tonight" : "Today",
    time: allDay ? "" : shortTime(startsAt, timeZone),
    location,
    isSample,
  };
}

export function describeEvent(event: CityEvent, day: string, timeZone: string) {
  const { id, title, dateLine, timeLine, location, isSample } = toEventItem(event, timeZone);
  const hasOtherDate = calendarDay(event.startsAt, timeZone) !== day;
  return {
    id,
    title,
    when: hasOtherDate ? `${dateLine}, ${timeLine}` : timeLine,
    location,
    isSample,
    isFromReader: event.series.startsWith("reader:"),
  };
}

/** The newest stories or, if there are only samples, some of these, which change every day. */
async function gatherStories(services: BriefServices, day: string) {
  const stories = await listStoriesOrSamples(services);
  const ordered = stories[0]?.isSample ? rotateDaily(stories, day, maxStories) : stories;
  return ordered.slice(0, maxStories);
}

/** Adds the stories of its day that are not in a brief yet. Returns null if there are none. */
export async function addNewStories(services: BriefServices, stored: BriefContent, day: string) {
  const { timeZone } = services.site.read(siteSettingsFile);
  const stories = (await listStoriesOrSamples(services))
    .filter(
      ({ slug, isSample, publishedAt }) =>
        stored.stories.includes(slug) || (!isSample && calendarDay(publishedAt, timeZone) === day),
    )
    .slice(0, maxStoriesOfDay)
    .map(({ slug }) => slug);
  if (stories.every((slug) => stored.stories.includes(slug))) return null;
  return { content: { ...stored, stories }, hasNews: true };
}
