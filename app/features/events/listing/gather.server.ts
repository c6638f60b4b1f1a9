import { readShared, readSharedOr } from "../../../../db/shared-reads.ts";
import { addDays, calendarDay, instantAt } from "../../../lib/dates.ts";
import { createMemo } from "../../../lib/memo.ts";
import type { Window } from "../calendars/recurrence/expand-rule.server.ts";
import { type EventRecord, type EventsTexts, eventsFile, eventsFolder } from "../files.server.ts";
import { findStoredEventsById, importedSource } from "../import/store.server.ts";
import {
  createMeetingLookup,
  type LookupServices,
  listMeetings,
  type MeetingLookup,
} from "../meetings/gather.server.ts";
import { findApprovedEvents, isDown } from "../submissions.server.ts";
import type { CityEvent, Meeting } from "./city-event.ts";
import { type CurrentEvents, currentEvents, noEvents } from "./current.server.ts";
import { dedupeEvents } from "./dedupe.server.ts";
import { describeSeries } from "./describe.server.ts";
import { datesOf, endsOf, nextDate } from "./file-events.server.ts";
import { isWithin } from "./select.server.ts";
import { fromStoredEvent, fromSubmission } from "./to-city-event.server.ts";

export type EventLookup = MeetingLookup & { records: readonly EventRecord[]; texts: EventsTexts };

/** Adds the tag of events to `tags`, which are the cache tags of the page that shows them. */
export const createEventLookup = (services: LookupServices): EventLookup => ({
  ...createMeetingLookup(services),
  records: services.site.readAll(eventsFolder),
  texts: services.site.read(eventsFile),
});

/** How far ahead all events are merged at once. Most pages show only these. */
const timelineDays = 400;
const timelines = createMemo<CityEvent[]>();
const readCurrent = ({ db, now }: EventLookup) => readShared(db, currentEvents(now));
const readCurrentOrNone = ({ db, now }: EventLookup) =>
  readSharedOr(db, currentEvents(now), noEvents);

/** The newsroom's files, without those that an editor took down. */
export const readRecords = async (lookup: EventLookup): Promise<readonly EventRecord[]> =>
  withoutDown(lookup.records, await readCurrentOrNone(lookup));

const withoutDown = <T extends { id: string }>(events: readonly T[], { down }: CurrentEvents) =>
  events.filter(({ id }) => !down.has(id));

/**
 * Returns all events within a window, without duplicates, in the order of their start. The window
 * begins in the last month or later. Samples are included only while the city has no other events,
 * not even outside the window.
 */
export async function eventsWithin(lookup: EventLookup, window: Window): Promise<CityEvent[]> {
  const { texts, records, now, timeZone, city, state } = lookup;
  const current = await readCurrentOrNone(lookup);
  const meetings = await listMeetings(lookup);
  const isWanted = (event: CityEvent) => isWithin(event, window, now);
  const today = calendarDay(now, timeZone);
  const midnightIn = (days: number) => instantAt(addDays(today, days), "00:00", timeZone);
  const ahead = { from: midnightIn(0), until: midnightIn(timelineDays) };
  // The coming dates too, because they tell how often a series repeats.
  const merged = {
    from: new Date(Math.min(window.from.getTime(), ahead.from.getTime())),
    until: new Date(Math.max(window.until.getTime(), ahead.until.getTime())),
  };
  if (merged.from < ahead.from || merged.until > ahead.until)
    return mergeEvents(lookup, merged, current, meetings).filter(isWanted);
  // When a date is over, it moves to the next day, or the next one of its series takes its place.
  const overCount = records
    .flatMap(({ front }) => endsOf(front, today, timeZone))
    .filter((end) => end <= now).length;
  const inputs = [current, records, texts, meetings, timeZone, city, state, today, overCount];
  const merge = () => mergeEvents(lookup, ahead, current, meetings);
  return timelines("all", inputs, merge).filter(isWanted);
}

function mergeEvents(
  lookup: EventLookup,
  window: Window,
  current: CurrentEvents,
  meetings: Meeting[],
): CityEvent[] {
  const { texts, now, timeZone } = lookup;
  const hasReal = hasReals(lookup, current, meetings);
  const records = withoutDown(lookup.records, current).filter(
    ({ front }) => !(front.sample && hasReal),
  );
  const lists = [
    records.flatMap((record) => datesOf(record, window, now, timeZone)),
    current.submitted.map(fromSubmission),
    // Copies, because the events of a series get a text below.
    meetings.filter(({ isSample }) => !(isSample && hasReal)).map((meeting) => ({ ...meeting })),
    ...sourceIds(texts).map((id) =>
      current.stored
        .filter(({ source }) => source === id)
        .map((event) => fromStoredEvent(event, texts)),
    ),
  ];
  const events = dedupeEvents(lists, lookup).sort(
    (one, other) => one.startsAt.getTime() - other.startsAt.getTime(),
  );
  for (const dates of Map.groupBy(events, ({ series }) => series).values()) {
    const repeats = describeSeries(dates, timeZone);
    for (const date of dates) date.repeats = repeats;
  }
  return events;
}

const hasReals = ({ records, texts }: EventLookup, current: CurrentEvents, meetings: Meeting[]) =>
  current.hasSubmitted ||
  meetings.some(({ isSample }) => !isSample) ||
  withoutDown(records, current).some(({ front }) => !front.sample) ||
  sourceIds(texts).some((id) => current.sources.has(id));

/** Whether the city has any event besides samples, past or upcoming. */
export const hasRealEvents = async (lookup: EventLookup) =>
  hasReals(lookup, await readCurrent(lookup), await listMeetings(lookup));

/**
 * Finds the event at `/events/<id>`, with the other upcoming dates of its series. The `day` of one
 * of these dates selects it instead of the next one.
 */
export async function findEvent(
  lookup: EventLookup,
  id: string,
  day: string | null = null,
): Promise<{ event: CityEvent; others: CityEvent[] } | null> {
  const { records, texts, now, timeZone } = lookup;
  const record = records.find((candidate) => candidate.id === id);
  // The page of a file is shown even if the database has been unavailable since the server started.
  const current = await (record ? readCurrentOrNone(lookup) : readCurrent(lookup));
  if (current.down.has(id)) return null;
  if (record) return nextDate(record, now, timeZone, day);
  const { submitted, stored } = await findRows(lookup, current, [id]);
  if (submitted[0]) return { event: fromSubmission(submitted[0]), others: [] };
  const [row] = stored;
  if (!row) return null;
  const others = current.stored
    .filter(({ source, series }) => source === row.source && series === row.series)
    .filter((event) => event.id !== id && !event.cancelled && event.startsAt >= now)
    .slice(0, maxOtherDates);
  return {
    event: fromStoredEvent(row, texts),
    others: others.map((each) => fromStoredEvent(each, texts)),
  };
}

/**
 * Finds the events with these ids that are not files: current ones in memory, others in the
 * database. If several sources have one, the most trusted one comes first.
 */
async function findRows({ db, texts }: EventLookup, current: CurrentEvents, ids: string[]) {
  const sources = sourceIds(texts);
  const isWanted = ({ id }: { id: string }) => ids.includes(id);
  const stored = current.stored.filter(
    (event) => isWanted(event) && sources.includes(event.source),
  );
  const submitted = current.submitted.filter(isWanted);
  const known = new Set([...stored, ...submitted].map(({ id }) => id));
  const others = ids.filter((id) => !known.has(id) && !current.down.has(id));
  if (others.length > 0) {
    stored.push(...(await findStoredEventsById(db, sources, others)));
    submitted.push(...(await findApprovedEvents(db, others)));
  }
  const trust = ({ source }: { source: string }) => sources.indexOf(source);
  return { submitted, stored: stored.sort((one, other) => trust(one) - trust(other)) };
}

/** The status of a path without an event: 410 (gone) if an editor took the event down. */
export async function missingEventStatus(lookup: EventLookup, id: string): Promise<404 | 410> {
  const { down } = await readCurrent(lookup);
  return down.has(id) || (await isDown(lookup.db, id)) ? 410 : 404;
}

const maxOtherDates = 20;

/** The events that still have a page, by id. Of a series in a file, it is the next date. */
export async function findEvents(lookup: EventLookup, ids: string[]) {
  const { records, texts, now, timeZone } = lookup;
  const current = ids.length > 0 ? await readCurrent(lookup) : noEvents;
  const files = records.filter(({ id }) => ids.includes(id) && !current.down.has(id));
  const inFiles = new Set(files.map(({ id }) => id));
  const others = ids.filter((id) => !inFiles.has(id));
  const { submitted, stored } = await findRows(lookup, current, others);
  // The first of those with one id comes last.
  const events = [
    ...stored.reverse().map((row) => fromStoredEvent(row, texts)),
    ...submitted.map(fromSubmission),
    ...files.flatMap((record) => nextDate(record, now, timeZone)?.event ?? []),
  ];
  return new Map(events.map((event) => [event.id, event]));
}

/** The most trusted source comes first: if several have the same event, readers see its version. */
const sourceIds = ({ sources }: EventsTexts) => [importedSource, ...sources.map(({ id }) => id)];
