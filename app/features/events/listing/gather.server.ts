import { readShared, readSharedOr } from "../../../../db/shared-reads.ts";
import { addDays, calendarDay, instantAt } from "../../../lib/dates.ts";
import { createMemo } from "../../../lib/memo.ts";
import type { Services } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { Window } from "../../calendars/recurrence/expand-rule.server.ts";
import type { Meeting } from "../../meetings/listing/gather.server.ts";
import {
  createMeetingLookup,
  type LookupServices,
  listMeetings,
  type MeetingLookup,
} from "../../meetings/listing/gather.server.ts";
import { type EventRecord, type EventsTexts, eventsFile, eventsFolder } from "../files.server.ts";
import { findCancellations, findStoredEventsById, importedSource } from "../import/store.server.ts";
import { findApprovedEvent, findApprovedIds, isDown } from "../submissions.server.ts";
import type { CityEvent, CityInfo } from "./city-event.ts";
import { type CurrentEvents, currentEvents, noEvents } from "./current.server.ts";
import { dedupeEvents } from "./dedupe.server.ts";
import { describeSeries } from "./describe.server.ts";
import { dateFrom, datesOf, nextDate } from "./file-events.server.ts";
import { isWithin } from "./select.server.ts";
import { fromMeeting, fromStoredEvent, fromSubmission } from "./to-city-event.server.ts";

export type EventLookup = CityInfo &
  Pick<Services, "db"> & {
    records: readonly EventRecord[];
    texts: EventsTexts;
    now: Date;
    meetings: MeetingLookup;
  };

/** Adds the tag of events to `tags`, which are the cache tags of the page that shows them. */
export function createEventLookup({ site, db, clock, tags }: LookupServices): EventLookup {
  tags.add(cacheTags.events);
  const { timeZone, city, state, origin } = site.read(siteSettingsFile);
  const meetings = createMeetingLookup({ site, db, clock, tags });
  const [records, texts] = [site.readAll(eventsFolder), site.read(eventsFile)];
  return { db, records, texts, meetings, now: clock(), timeZone, city, state, origin };
}

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
  const meetings = await listMeetings(lookup.meetings);
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
  // A date that is given as days from today moves to the next day when it is over.
  const overCount = records.filter(
    ({ front }) => "inDays" in front.ends && dateFrom(front, today, timeZone).endsAt <= now,
  ).length;
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
    meetings.filter(({ isSample }) => !(isSample && hasReal)).map(fromMeeting),
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
  hasReals(lookup, await readCurrent(lookup), await listMeetings(lookup.meetings));

/**
 * Finds the event at `/events/<id>`, with the other upcoming dates of its series. The `day` of one
 * of these dates selects it instead of the next one.
 */
export async function findEvent(
  lookup: EventLookup,
  id: string,
  day: string | null = null,
): Promise<{ event: CityEvent; others: CityEvent[] } | null> {
  const { db, records, texts, now, timeZone } = lookup;
  const record = records.find((candidate) => candidate.id === id);
  // The page of a file is shown even if the database has been unavailable since the server started.
  const current = await (record ? readCurrentOrNone(lookup) : readCurrent(lookup));
  if (current.down.has(id)) return null;
  if (record) return nextDate(record, now, timeZone, day);
  const ids = sourceIds(texts);
  const currentWithId = current.stored.filter((event) => event.id === id);
  const submitted =
    current.submitted.find((event) => event.id === id) ??
    (currentWithId.length > 0 ? null : await findApprovedEvent(db, id));
  if (submitted) return { event: fromSubmission(submitted), others: [] };
  const candidates =
    currentWithId.length > 0 ? currentWithId : await findStoredEventsById(db, ids, id);
  const stored = ids
    .map((source) => candidates.find((event) => event.source === source))
    .find((event) => event);
  if (!stored) return null;
  const others = current.stored
    .filter(({ source, series }) => source === stored.source && series === stored.series)
    .filter((event) => event.id !== id && !event.cancelled && event.startsAt >= now)
    .slice(0, maxOtherDates);
  return {
    event: fromStoredEvent(stored, texts),
    others: others.map((each) => fromStoredEvent(each, texts)),
  };
}

/** The status of a path without an event: 410 (gone) if an editor took the event down. */
export async function missingEventStatus(lookup: EventLookup, id: string): Promise<404 | 410> {
  const { down } = await readCurrent(lookup);
  return down.has(id) || (await isDown(lookup.db, id)) ? 410 : 404;
}

const maxOtherDates = 20;

export type EventState = {
  isCanceled: boolean;
  /** The event as it is now; null if it is too long ago. Of a series, it is the next date. */
  event: CityEvent | null;
};

/** The states of the events that still have a page, by id. */
export async function findEventStates(lookup: EventLookup, ids: string[]) {
  if (ids.length === 0) return new Map();
  const { db, records, texts, now, timeZone } = lookup;
  const sources = sourceIds(texts);
  const current = await readCurrent(lookup);
  const isWanted = ({ id }: { id: string }) => ids.includes(id) && !current.down.has(id);
  const found = new Map<string, EventState>();
  for (const stored of current.stored.filter(isWanted))
    if (sources.includes(stored.source))
      found.set(stored.id, { isCanceled: stored.cancelled, event: fromStoredEvent(stored, texts) });
  for (const submitted of current.submitted.filter(isWanted))
    found.set(submitted.id, { isCanceled: false, event: fromSubmission(submitted) });
  for (const record of records.filter(isWanted))
    found.set(record.id, {
      isCanceled: false,
      event: nextDate(record, now, timeZone)?.event ?? null,
    });
  const others = ids.filter((id) => !found.has(id) && !current.down.has(id));
  if (others.length === 0) return found;
  const stored = await findCancellations(db, sources, others);
  const submitted = await findApprovedIds(db, others);
  for (const { id, cancelled } of stored) found.set(id, { isCanceled: cancelled, event: null });
  for (const id of submitted) found.set(id, { isCanceled: false, event: null });
  return found;
}

/** The most trusted source comes first: if several have the same event, readers see its version. */
const sourceIds = ({ sources }: EventsTexts) => [importedSource, ...sources.map(({ id }) => id)];
