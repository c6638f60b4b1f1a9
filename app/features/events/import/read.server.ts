import { addDays, calendarDay, daysBefore, instantAt } from "../../../lib/dates.ts";
import type { VisitResult } from "../../../lib/external/source-visits.server.ts";
import { calendarBudget } from "./expand-rule.server.ts";
import { expandSeries, type Occurrence } from "./expand-series.server.ts";
import { daySeconds, isoDay } from "./local-time.server.ts";
import { type CalendarEntry, type EventLabel, parseCalendar } from "./parse.server.ts";
import { clockFinder, maxZones, type ZoneDefinition } from "./zones.server.ts";

export type CalendarResult =
  | {
      kind: "calendar";
      occurrences: Occurrence[];
      /** Lines and events that could not be understood. */
      broken: number;
      /**
       * The first events that are not among the occurrences, or not as their calendar means them,
       * and why.
       */
      leftOut: LeftOut[];
      leftOutCount: number;
      /** More was there than we take. */
      isCut: boolean;
    }
  | { kind: "not-a-calendar" };

type LeftOut = { title: string; day: string | null; reason: keyof typeof leftOutReasons };

/** Why an event was left out, for an editor. */
export const leftOutReasons = {
  over: "it is over",
  "no-date": "it has no date from today on within a year and a month",
  line: "a line of it could not be understood; the rest was used",
  "time-zone": "this time zone could not be understood; times in it may be wrong",
  "too-many-lines": "it has more lines than any real event",
  "no-start": "it has no start (DTSTART), or one that is not a date",
  "no-title": "it has no title (SUMMARY)",
  rule: "its repetition (RRULE) could not be understood; only its first date was used",
} as const;

/** Whether there is nothing to correct in an event: it is only too late for it. */
export const isPast = (reason: LeftOut["reason"]): boolean =>
  reason === "over" || reason === "no-date";

/** An editor reads a few names, of faulty events and of past ones; the rest is a number. */
const maxLeftOut = 50;

/** The reader gave up before it knew what the document is. */
export type ReadFailure = Extract<VisitResult, { kind: "failed" }>;

export type ReadOptions = { now: Date; timeZone: string };

/**
 * How far a calendar is read: a week back, so that what is on now is there, and a year and a month
 * ahead.
 */
const daysBack = 7;
const daysAhead = 396;

const maxEntries = 10_000;
/** Dates that are added to a series, or left out of one, in the whole calendar. */
const maxAddedOrExcluded = 100_000;
const maxOccurrences = 3_000;

/**
 * What takes place within the next year, from the bytes of a calendar. Its time grows with the size
 * of the calendar and not with what the calendar asks for: lines, entries, dates and the steps of
 * rules are all limited.
 */
export function readCalendar(body: Uint8Array, { now, timeZone }: ReadOptions): CalendarResult {
  if (!/BEGIN:VCALENDAR/i.test(Buffer.from(body.subarray(0, 2_048)).toString("latin1")))
    return { kind: "not-a-calendar" };
  const window = {
    from: daysBefore(now, daysBack),
    until: instantAt(addDays(calendarDay(now, timeZone), daysAhead), "00:00", timeZone),
  };
  const firstDay = Math.floor(window.from.getTime() / 1000 / daySeconds);
  const series = new Map<string, CalendarEntry[]>();
  const zones = new Map<string, ZoneDefinition>();
  let [entries, listedDates, broken, isCut] = [0, 0, 0, false];
  const faultyEvents: { event: EventLabel; reason: LeftOut["reason"] }[] = [];
  const pastEvents: typeof faultyEvents = [];
  let leftOutCount = 0;
  const leaveOut = (event: EventLabel, reason: LeftOut["reason"]) => {
    leftOutCount += 1;
    const named = isPast(reason) ? pastEvents : faultyEvents;
    if (named.length < maxLeftOut) named.push({ event, reason });
  };

  for (const parsed of parseCalendar(body, firstDay)) {
    if (parsed.kind === "broken") {
      broken += 1;
      leaveOut(parsed.event, parsed.reason);
    } else if (parsed.kind === "over") leaveOut(parsed.event, "over");
    else if (parsed.kind === "cut") isCut = true;
    else if (parsed.kind === "zone") {
      if (zones.size < maxZones) zones.set(parsed.name, parsed.definition);
    } else if (parsed.kind === "entry") {
      const { uid, added, excluded } = parsed.entry;
      listedDates += added.length + excluded.length;
      if (entries === maxEntries || listedDates > maxAddedOrExcluded) {
        isCut = true;
        continue;
      }
      entries += 1;
      const known = series.get(uid);
      if (known) known.push(parsed.entry);
      else series.set(uid, [parsed.entry]);
    }
  }

  const clockFor = clockFinder(timeZone, zones);
  const budget = calendarBudget();
  let occurrences = new Map<string, Occurrence>();
  for (const seriesEntries of series.values()) {
    const expanded = expandSeries(seriesEntries, { window, clockFor, budget });
    for (const each of expanded.occurrences) occurrences.set(each.id, each);
    const [first] = seriesEntries;
    const event = () => ({
      title: first?.title ?? "",
      day: first ? isoDay(Math.floor(first.starts.local / daySeconds)) : null,
    });
    if (expanded.isBroken) {
      broken += 1;
      leaveOut(event, "rule");
      // Where the calendar is too large, it may be the reader that has not looked far enough.
    } else if (expanded.occurrences.length === 0 && !isCut) leaveOut(event, "no-date");
    isCut ||= expanded.isCut;
    if (occurrences.size < 2 * maxOccurrences) continue;
    // A calendar that is too large loses what is far away: from here on nobody needs to look beyond
    // the last one kept.
    const nearest = selectNearest(occurrences);
    occurrences = new Map(nearest.map((each) => [each.id, each]));
    window.until = nearest.at(-1)?.startsAt ?? window.until;
    isCut = true;
  }
  return {
    kind: "calendar",
    occurrences: selectNearest(occurrences),
    broken,
    leftOut: [...faultyEvents, ...pastEvents].map(({ event, reason }) => ({ ...event(), reason })),
    leftOutCount,
    isCut: isCut || occurrences.size > maxOccurrences,
  };
}

const selectNearest = (occurrences: Map<string, Occurrence>) =>
  [...occurrences.values()]
    .sort((one, other) => one.startsAt.getTime() - other.startsAt.getTime())
    .slice(0, maxOccurrences);
