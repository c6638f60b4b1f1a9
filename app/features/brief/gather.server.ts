import { calendarDay, daysBefore } from "../../lib/dates.ts";
import type { Services } from "../../platform/services.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import type { CityEvent } from "../events/listing/city-event.ts";
import { toEventItem } from "../events/listing/describe.server.ts";
import { createEventLookup } from "../events/listing/gather.server.ts";
import { listUpcomingEvents } from "../events/listing/view.server.ts";
import { noFilter } from "../events/model.ts";
import { goodToKnowFile } from "../feeds/files.server.ts";
import { listHeadlines, newsFeed } from "../feeds/listing/content.server.ts";
import { parseShownTime } from "../feeds/listing/select.server.ts";
import { type Headline, localSection, rotateDaily } from "../feeds/model.ts";
import { listNewestStories } from "../stories/stories.server.ts";
import type { BriefContent } from "./content.server.ts";
import { briefFile } from "./files.server.ts";

const maxHeadlines = 8;
/** With fewer headlines than this from the last day, older ones follow. */
export const minHeadlines = 5;
const maxPerSource = 2;
const maxHeadlineAgeDays = 3;
const goodToKnowCount = 5;
const maxEvents = 6;
const maxNextEvents = 3;
const nextEventsDays = 7;
const maxStories = 3;
/** The number of readers' stories among which the newest are chosen. */
const maxReaderStories = 10;

export type BriefServices = Pick<Services, "site" | "db" | "clock" | "log">;

/** Gathers the content of the brief of today. */
export async function gatherBrief(
  services: BriefServices,
): Promise<{ content: BriefContent; hasNews: boolean }> {
  const { site, clock } = services;
  const day = calendarDay(clock(), site.read(siteSettingsFile).timeZone);
  const headlines = await gatherHeadlines(services);
  const { areEventsToday, events } = await gatherEvents(services, day);
  const stories = await gatherStories(services, day);
  const [fact] = rotateDaily(site.read(briefFile).facts, day, 1);
  return {
    content: {
      headlines,
      goodToKnow: headlines.length > 0 ? [] : gatherGoodToKnow(services, day),
      areEventsToday,
      events,
      stories: stories.map(({ id }) => id),
      fact: fact ? { text: fact.text, link: fact.link ?? null } : null,
    },
    hasNews:
      headlines.length > 0 || [...events, ...stories].some(({ isSample }) => isSample === false),
  };
}

/** Whether a headline is from the day before the brief was made. */
export const isFresh = ({ time }: Pick<Headline, "time">, now: Date) =>
  parseShownTime(time.iso) >= daysBefore(now, 1);

async function gatherHeadlines(services: BriefServices): Promise<BriefContent["headlines"]> {
  const { site, clock } = services;
  const { timeZone } = site.read(siteSettingsFile);
  // A brief is not a cached page, so it needs no tags.
  const scope = { ...services, timeZone, tags: { add() {} } };
  const local = await listHeadlines(scope, localSection);
  const all = await listHeadlines(scope, newsFeed);
  const candidates = [...(local?.headlines ?? []), ...(all?.headlines ?? [])];
  return selectHeadlines(candidates, clock()).map(
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
 * Selects headlines for a brief: those of the last day, local ones first, and not many of one
 * source. If there are too few, more of the same sources follow, and then older headlines.
 */
export function selectHeadlines(candidates: Headline[], now: Date): Headline[] {
  const unique = [...new Map(candidates.map((headline) => [headline.id, headline])).values()];
  const fresh = unique.filter((headline) => isFresh(headline, now));
  const chosen = [...Map.groupBy(fresh, ({ source }) => source).values()].flatMap((ofSource) =>
    ofSource.slice(0, maxPerSource),
  );
  const selected = fresh.filter((headline) => chosen.includes(headline)).slice(0, maxHeadlines);
  const older = unique.filter(
    ({ time }) =>
      !isFresh({ time }, now) && parseShownTime(time.iso) >= daysBefore(now, maxHeadlineAgeDays),
  );
  const others = [...fresh, ...older].filter((headline) => !selected.includes(headline));
  return [...selected, ...others.slice(0, Math.max(0, minHeadlines - selected.length))];
}

function gatherGoodToKnow({ site }: BriefServices, day: string): BriefContent["goodToKnow"] {
  const lists = site.read(goodToKnowFile);
  const items = lists[localSection] ?? Object.values(lists).flat();
  return rotateDaily(items, day, goodToKnowCount).slice(0, goodToKnowCount);
}

/**
 * Gathers the events of the day or, if there are none, the next ones. Events that begin today come
 * before exhibitions that began earlier. Samples are included only if there are no other events.
 */
async function gatherEvents(
  services: BriefServices,
  day: string,
): Promise<Pick<BriefContent, "areEventsToday" | "events">> {
  const settings = services.site.read(siteSettingsFile);
  const { timeZone } = settings;
  const lookup = createEventLookup(services, settings);
  const soonDay = calendarDay(daysBefore(lookup.now, -nextEventsDays), timeZone);
  const dayOf = ({ startsAt }: CityEvent) => calendarDay(startsAt, timeZone);
  const upcoming = (await listUpcomingEvents(lookup, noFilter)).filter(
    (event) => dayOf(event) <= soonDay,
  );
  const ofToday = upcoming.filter((event) => dayOf(event) <= day);
  const areEventsToday = ofToday.length > 0;
  const candidates = oncePerSeries(preferReal(areEventsToday ? ofToday : upcoming)).toSorted(
    (one, other) => Number(dayOf(one) < day) - Number(dayOf(other) < day),
  );
  return {
    areEventsToday,
    events: candidates.slice(0, areEventsToday ? maxEvents : maxNextEvents).map((event) => {
      const { id, title, dateLine, timeLine, location, isSample } = toEventItem(event, timeZone);
      const hasOtherDate = dayOf(event) !== day;
      return {
        id,
        title,
        when: hasOtherDate ? `${dateLine}, ${timeLine}` : timeLine,
        location,
        isSample,
        isFromReader: event.series.startsWith("reader:"),
      };
    }),
  };
}

function oncePerSeries(events: CityEvent[]): CityEvent[] {
  const seen = new Set<string>();
  return events.filter(({ series }) => !seen.has(series) && seen.add(series));
}

/** The newest stories or, if there are only samples, some of these, which change every day. */
async function gatherStories(services: BriefServices, day: string) {
  const stories = preferReal(await listNewestStories(services, maxReaderStories));
  const ordered = stories[0]?.isSample ? rotateDaily(stories, day, maxStories) : stories;
  return ordered.slice(0, maxStories).map(({ id, isSample }) => ({ id, isSample }));
}

/** Leaves out samples, unless there is nothing else. */
function preferReal<Item extends { isSample: boolean }>(items: Item[]): Item[] {
  const real = items.filter(({ isSample }) => !isSample);
  return real.length > 0 ? real : items;
}
