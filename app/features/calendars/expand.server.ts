import { createHash } from "node:crypto";
import { addDays, calendarDay, instantAt } from "../../lib/dates.ts";
import { type CalendarEntry, maxMinutes, type Stamp } from "./parse.server.ts";
import { ruleStarts, type Window } from "./rules.server.ts";
import type { ZoneFinder } from "./zones.server.ts";

/** An event that takes place once: a date of a series, or all there is. */
export type Occurrence = {
  /** The same each time the calendar is read, also when the event has been moved or renamed. */
  id: string;
  /** The same for all dates of a series. */
  series: string;
  startsAt: Date;
  /** Of whole days, the midnight after the last. The same as the start where no end is known. */
  endsAt: Date;
  allDay: boolean;
  title: string;
  description: string;
  location: string;
  url: string;
  categories: string[];
  cancelled: boolean;
};

export type Expanded = { occurrences: Occurrence[]; isCut: boolean; isBroken: boolean };

/** A daily event for a year, and a little more. */
const maxPerSeries = 400;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * All dates of a series within a window, from the entries that share a UID: the rule's dates, those added, without
 * those left out, each as it was changed (RFC 5545, 3.8.5).
 */
export function expandSeries(
  entries: CalendarEntry[],
  window: Window,
  zoneOf: ZoneFinder,
  cityZone: string,
): Expanded {
  const at = (stamp: Stamp) =>
    // A whole day is one day everywhere; it begins when the city's does.
    stamp.time === null
      ? instantAt(stamp.day, "00:00", cityZone)
      : instantAt(stamp.day, stamp.time, zoneOf(stamp.zone));
  const master = entries
    .filter(({ changes }) => changes === null)
    .reduce<CalendarEntry | null>(
      (best, each) => (best && best.sequence > each.sequence ? best : each),
      null,
    );
  const changes = changesOf(entries, at);
  const alike = sharingOneUid(entries);
  const isSeries =
    master !== null && (master.rules.length > 0 || master.added.length > 0 || alike.length > 0);
  const lengthMs = (entry: CalendarEntry) => lengthOf(entry, at);

  const { starts, isCut, isBroken } = master
    ? startsOf(master, reachedBack(window, lengthMs(master)), zoneOf, cityZone, at)
    : { starts: [], isCut: false, isBroken: false };
  const seen = new Set<number>();
  const occurrences: Occurrence[] = [];
  const add = (entry: CalendarEntry, original: Date, startsAt: Date) => {
    const allDay = entry.starts.time === null;
    const endsAt = allDay
      ? daysAfter(startsAt, Math.round(lengthMs(entry) / dayMs), cityZone)
      : new Date(startsAt.getTime() + lengthMs(entry));
    const key = isSeries || entry.changes ? original.toISOString() : "";
    const { title, description, location, url, categories, cancelled } = entry;
    occurrences.push({
      ...{ id: shortHash(`${entry.uid}\n${key}`), series: shortHash(entry.uid), startsAt, endsAt, allDay },
      ...{
        title,
        description,
        location,
        url,
        categories,
        cancelled: cancelled || master?.cancelled === true,
      },
    });
  };

  for (const original of starts) {
    if (!master || seen.has(original.getTime())) continue;
    seen.add(original.getTime());
    const change = changes.single.get(original.getTime());
    if (change) continue;
    const later = changes.andLater.findLast((each) => each.from <= original);
    if (later) add({ ...later.entry, changes: null }, original, new Date(original.getTime() + later.shiftMs));
    else add(master, original, original);
  }
  for (const entry of alike) if (entry !== master) add(entry, at(entry.starts), at(entry.starts));
  // A change counts by where it has moved to, and also without the series it belongs to.
  for (const [original, entry] of changes.single) add(entry, new Date(original), at(entry.starts));

  return {
    occurrences: occurrences
      .filter(({ startsAt, endsAt }) => startsAt < window.until && endsAt >= window.from)
      .sort((one, other) => one.startsAt.getTime() - other.startsAt.getTime()),
    isCut,
    isBroken,
  };
}

/** Some programs give all dates of a series one UID and no rule. None of them is a newer version of another. */
function sharingOneUid(entries: CalendarEntry[]): CalendarEntry[] {
  const masters = entries.filter(
    ({ changes, rules, added }) => !changes && rules.length + added.length === 0,
  );
  const starts = new Set(masters.map(({ starts: { day, time } }) => `${day} ${time}`));
  const isOneVersion = masters.every(({ sequence }) => sequence === masters[0]?.sequence);
  return isOneVersion && starts.size > 1 && starts.size === masters.length ? masters : [];
}

type Changes = {
  single: Map<number, CalendarEntry>;
  andLater: { from: Date; shiftMs: number; entry: CalendarEntry }[];
};

function changesOf(entries: CalendarEntry[], at: (stamp: Stamp) => Date): Changes {
  const changed = entries
    .flatMap((entry) => (entry.changes ? [{ entry, from: at(entry.changes.at), ...entry.changes }] : []))
    .sort((one, other) => one.entry.sequence - other.entry.sequence);
  return {
    single: new Map(changed.map(({ entry, from }) => [from.getTime(), entry])),
    andLater: changed
      .filter(({ andLater }) => andLater)
      .map(({ entry, from }) => ({ entry, from, shiftMs: at(entry.starts).getTime() - from.getTime() }))
      .sort((one, other) => one.from.getTime() - other.from.getTime()),
  };
}

function startsOf(
  master: CalendarEntry,
  window: Window,
  zoneOf: ZoneFinder,
  cityZone: string,
  at: (stamp: Stamp) => Date,
) {
  const { starts, rules, added, left } = master;
  const digits = (text: string) => text.replaceAll(/[-:]/g, "");
  // Whole days are counted in UTC, where every day has its midnight, and come home afterwards.
  const zone = starts.time === null ? "UTC" : zoneOf(starts.zone);
  const home = (instant: Date) =>
    starts.time === null ? instantAt(instant.toISOString().slice(0, 10), "00:00", cityZone) : instant;
  const start = `${digits(starts.day)}T${digits(starts.time ?? "00:00")}00`;
  const answers = rules.map((rule) => ruleStarts(rule, start, zone, window, maxPerSeries));
  const dates = [
    ...(rules.length === 0 || answers.every(({ kind }) => kind === "broken") ? [at(starts)] : []),
    ...answers.flatMap((answer) => (answer.kind === "starts" ? answer.starts.map(home) : [])),
    ...added.map(at),
  ].sort((one, other) => one.getTime() - other.getTime());
  const leftInstants = new Set(left.filter(({ time }) => time !== null).map((stamp) => at(stamp).getTime()));
  // Some programs leave out a whole day where they mean the event on it.
  const leftDays = new Set(left.filter(({ time }) => time === null).map(({ day }) => day));
  const dayZone = starts.time === null ? cityZone : zone;
  return {
    starts: dates
      .filter((date) => !leftInstants.has(date.getTime()))
      .filter((date) => leftDays.size === 0 || !leftDays.has(calendarDay(date, dayZone)))
      .slice(0, maxPerSeries),
    isCut: dates.length > maxPerSeries || answers.some((answer) => answer.kind === "starts" && answer.isCut),
    isBroken: answers.some(({ kind }) => kind === "broken"),
  };
}

/** An event that began before the window may still be on. */
const reachedBack = ({ from, until }: Window, lengthMs: number): Window => ({
  from: new Date(from.getTime() - Math.min(lengthMs, 60 * dayMs) - dayMs),
  until,
});

function lengthOf({ starts, ends, minutes }: CalendarEntry, at: (stamp: Stamp) => Date): number {
  const ms = minutes !== null ? minutes * 60_000 : ends ? at(ends).getTime() - at(starts).getTime() : 0;
  return Math.min(Math.max(0, ms), maxMinutes * 60_000);
}

/** By the calendar, not by hours: a day on which clocks change has 23 or 25. */
const daysAfter = (instant: Date, days: number, zone: string) =>
  instantAt(addDays(calendarDay(instant, zone), days), "00:00", zone);

/** Sixteen letters and digits, safe in an address. */
const shortHash = (text: string) =>
  BigInt(`0x${createHash("sha256").update(text).digest("hex").slice(0, 20)}`)
    .toString(36)
    .padStart(16, "0");
