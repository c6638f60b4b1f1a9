import { setImmediate as letOthersGo } from "node:timers/promises";
import { addDays, calendarDay, daysBefore, instantAt } from "../../lib/dates.ts";
import { expandSeries, type Occurrence } from "./expand.server.ts";
import { contentLines } from "./lines.server.ts";
import { type CalendarEntry, lastDay, parseCalendar } from "./parse.server.ts";
import { type ZoneDefinition, zoneFinder } from "./zones.server.ts";

export type CalendarRead =
  | {
      kind: "calendar";
      occurrences: Occurrence[];
      /** Lines and events that could not be understood. */
      broken: number;
      /** More was there than we take. */
      isCut: boolean;
    }
  | { kind: "not-a-calendar" };

/** How far a calendar is read: a week back, so that what is on now is there, and a year and a month ahead. */
export const daysBack = 7;
export const daysAhead = 396;

const maxEntries = 10_000;
/** So many dates are kept, and so many may be in the memory until it is known which. */
const maxOccurrences = 3_000;
const maxAtOnce = 20_000;
const nearMs = 62 * 24 * 60 * 60 * 1000;
/** So long at a time the readers of the site wait for a calendar, and so long in all it may take. */
const turnMs = 10;
const workMs = 15_000;

/** A calendar from its bytes: what takes place within the next year, in bounded memory and time. */
export async function readCalendar(
  body: Uint8Array,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<CalendarRead> {
  if (!/BEGIN:VCALENDAR/i.test(Buffer.from(body.subarray(0, 2_048)).toString("latin1")))
    return { kind: "not-a-calendar" };
  const work = patience();
  const window = {
    from: daysBefore(now, daysBack),
    until: instantAt(addDays(calendarDay(now, timeZone), daysAhead), "00:00", timeZone),
  };
  const firstDay = calendarDay(window.from, timeZone);
  const series = new Map<string, CalendarEntry[]>();
  const zones = new Map<string, ZoneDefinition>();
  let [entries, broken, isCut] = [0, 0, false];

  for (const parsed of parseCalendar(contentLines(body))) {
    if (await work.isOver()) return { kind: "calendar", occurrences: [], broken, isCut: true };
    if (parsed.kind === "broken") broken += 1;
    else if (parsed.kind === "zone") zones.set(parsed.name, parsed.definition);
    else if (entries === maxEntries) isCut = true;
    else if (!isLongOver(parsed.entry, firstDay)) {
      entries += 1;
      const { uid } = parsed.entry;
      const known = series.get(uid);
      if (known) known.push(parsed.entry);
      else series.set(uid, [parsed.entry]);
    }
  }

  const zoneOf = zoneFinder(timeZone, zones);
  const occurrences = new Map<string, Occurrence>();
  const brokenSeries = new Set<string>();
  // What is near comes first, so that a calendar that is too large loses what is far away.
  const near = new Date(now.getTime() + nearMs);
  for (const part of [
    { ...window, until: near },
    { ...window, from: near },
  ]) {
    for (const [uid, entriesOfOne] of series) {
      if (occurrences.size > maxAtOnce || (await work.isOver())) {
        isCut = true;
        break;
      }
      const expanded = expandSeries(entriesOfOne, part, zoneOf, timeZone);
      for (const each of expanded.occurrences) occurrences.set(each.id, each);
      if (expanded.isBroken) brokenSeries.add(uid);
      isCut ||= expanded.isCut;
    }
  }
  const inOrder = [...occurrences.values()].sort(
    (one, other) => one.startsAt.getTime() - other.startsAt.getTime(),
  );
  return {
    kind: "calendar",
    occurrences: inOrder.slice(0, maxOccurrences),
    broken: broken + brokenSeries.size,
    isCut: isCut || inOrder.length > maxOccurrences,
  };
}

/** Can be told without time zones: the day before the window begins is far enough from any of them. */
function isLongOver(
  { starts, ends, minutes, rules, added, changes }: CalendarEntry,
  firstDay: string,
): boolean {
  if (rules.length > 0 || added.length > 0 || changes) return false;
  return (ends ? ends.day : lastDay(starts.day, minutes ?? 0)) < addDays(firstDay, -1);
}

/** Works in short turns: others go first in between. */
function patience() {
  const began = performance.now();
  let turn = began;
  return {
    async isOver(): Promise<boolean> {
      if (performance.now() - turn > turnMs) {
        await letOthersGo();
        turn = performance.now();
      }
      return performance.now() - began > workMs;
    },
  };
}
