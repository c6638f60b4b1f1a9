import { addDays, calendarDay, daysBefore, instantAt } from "../../../../lib/dates.ts";
import { daySeconds, toIsoDay } from "../recurrence/local-time.server.ts";
import { expandSeries, type Occurrence } from "./expand-series.server.ts";
import { type CalendarEntry, type DescribeEvent, parseCalendar } from "./parse.server.ts";
import { createClockFinder, type ZoneDefinition } from "./zones.server.ts";

export type Calendar = {
  occurrences: Occurrence[];
  /** The number of lines and events that could not be parsed. */
  broken: number;
  /** The first events that were skipped or imported only in part, with the reason. */
  leftOut: LeftOut[];
  leftOutCount: number;
  /** Whether the calendar exceeds a limit, so that events may be missing. */
  isCut: boolean;
};

type LeftOut = { title: string; day: string | null; reason: keyof typeof leftOutReasons };

/** The reasons why an event was skipped, as editors read them. */
export const leftOutReasons = {
  over: "it is over",
  "no-date": "it has no date in the next 13 months",
  line: "one of its lines could not be read; the rest was imported",
  "time-zone": "this time zone could not be read; its times may be wrong",
  "no-start": "its start (DTSTART) is missing or is not a date",
  "no-title": "it has no title (SUMMARY)",
  rule: "its recurrence rule (RRULE) could not be read, or repeats it more than once per day; only its first date was imported",
} as const;

/** Whether the event was skipped only because of its dates, so that there is nothing to correct. */
export const isPast = (reason: LeftOut["reason"]): boolean =>
  reason === "over" || reason === "no-date";

/** At most this many broken events, and as many past events, are listed. The rest are counted. */
const maxLeftOut = 50;

export type ReadOptions = { now: Date; timeZone: string };

/** Events of a calendar that ended more than this many days ago are skipped. */
const daysBack = 7;
/** How many days ahead we read a calendar: 13 months. */
const daysAhead = 396;

const maxEntries = 10_000;
const maxOccurrences = 3_000;

/**
 * Reads the events of about the next year from the bytes of a calendar. The deadline and the memory
 * limit of the worker stop a hostile calendar; the limits above keep an honest one readable. Null
 * if the document is not a calendar.
 */
export function readCalendar(body: Uint8Array, { now, timeZone }: ReadOptions): Calendar | null {
  if (!/BEGIN:VCALENDAR/i.test(Buffer.from(body.subarray(0, 2_048)).toString("latin1")))
    return null;
  const window = {
    from: daysBefore(now, daysBack),
    until: instantAt(addDays(calendarDay(now, timeZone), daysAhead), "00:00", timeZone),
  };
  const firstDay = Math.floor(window.from.getTime() / 1000 / daySeconds);
  const series = new Map<string, CalendarEntry[]>();
  const zones = new Map<string, ZoneDefinition>();
  let [entryCount, broken, isCut] = [0, 0, false];
  const brokenEvents: { describeEvent: DescribeEvent; reason: LeftOut["reason"] }[] = [];
  const pastEvents: typeof brokenEvents = [];
  let leftOutCount = 0;
  const leaveOut = (describeEvent: DescribeEvent, reason: LeftOut["reason"]) => {
    leftOutCount += 1;
    const list = isPast(reason) ? pastEvents : brokenEvents;
    if (list.length < maxLeftOut) list.push({ describeEvent, reason });
  };

  for (const parsed of parseCalendar(body, firstDay)) {
    if (parsed.kind === "broken") {
      broken += 1;
      leaveOut(parsed.describeEvent, parsed.reason);
    } else if (parsed.kind === "over") leaveOut(parsed.describeEvent, "over");
    else if (parsed.kind === "zone") zones.set(parsed.name, parsed.definition);
    else if (entryCount === maxEntries) isCut = true;
    else {
      const { uid } = parsed.entry;
      entryCount += 1;
      const sameUid = series.get(uid);
      if (sameUid) sameUid.push(parsed.entry);
      else series.set(uid, [parsed.entry]);
    }
  }

  const clockFor = createClockFinder(timeZone, zones);
  let occurrences = new Map<string, Occurrence>();
  for (const seriesEntries of series.values()) {
    const expanded = expandSeries(seriesEntries, { window, clockFor });
    for (const each of expanded.occurrences) occurrences.set(each.id, each);
    const [first] = seriesEntries;
    const describeEvent = () => (first ? describeEntry(first) : { title: "", day: null });
    if (expanded.hasBrokenRule) {
      broken += 1;
      leaveOut(describeEvent, "rule");
      // In a calendar that is too large, dates may be missing because the window was shortened.
    } else if (expanded.occurrences.length === 0 && !isCut) leaveOut(describeEvent, "no-date");
    isCut ||= expanded.isCut;
    if (occurrences.size < 2 * maxOccurrences) continue;
    // If a calendar is too large, only its nearest dates are used. The remaining series need no
    // dates after the last of these.
    const nearest = selectNearest(occurrences);
    occurrences = new Map(nearest.map((each) => [each.id, each]));
    window.until = nearest.at(-1)?.startsAt ?? window.until;
    isCut = true;
  }
  return {
    occurrences: selectNearest(occurrences),
    broken,
    leftOut: [...brokenEvents, ...pastEvents].map(({ describeEvent, reason }) => ({
      ...describeEvent(),
      reason,
    })),
    leftOutCount,
    isCut: isCut || occurrences.size > maxOccurrences,
  };
}

const describeEntry = ({ title, starts }: CalendarEntry) => ({
  title,
  day: toIsoDay(Math.floor(starts.local / daySeconds)),
});

const selectNearest = (occurrences: Map<string, Occurrence>) =>
  [...occurrences.values()]
    .sort((one, other) => one.startsAt.getTime() - other.startsAt.getTime())
    .slice(0, maxOccurrences);
