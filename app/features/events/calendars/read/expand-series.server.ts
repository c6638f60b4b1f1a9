import { createHash } from "node:crypto";
import type { ZoneClock } from "../../../../lib/zone-clock.ts";
import { ruleStarts, type Window } from "../recurrence/expand-rule.server.ts";
import { daySeconds, toInstant, toLocal, utcClock } from "../recurrence/local-time.server.ts";
import { type CalendarEntry, type CalendarTime, maxEventSeconds } from "./parse.server.ts";
import type { ClockFinder } from "./zones.server.ts";

/** One date of an event: one of the dates of a series, or the only date of a single event. */
export type Occurrence = {
  /** Stays the same every time the calendar is read, even if the event was moved or renamed. */
  id: string;
  /** Shared by all dates of a series. */
  series: string;
  startsAt: Date;
  /**
   * For an all-day event, the midnight after its last day. Equal to `startsAt` if the end is
   * unknown.
   */
  endsAt: Date;
  allDay: boolean;
  title: string;
  description: string;
  location: string;
  url: string;
  categories: string[];
  cancelled: boolean;
};

type Expanded = {
  occurrences: Occurrence[];
  isCut: boolean;
  /** Whether one of the rules could not be used. */
  hasBrokenRule: boolean;
};

/** More than a daily event needs for the 13 months that we read. */
const maxPerSeries = 500;

type Expansion = {
  window: Window;
  clockFor: ClockFinder;
};

/**
 * Computes all dates of a series within a window from the entries that share a UID: the dates of
 * its rules and the added dates, without the excluded ones, and with the overrides of single dates
 * applied (RFC 5545, 3.8.5). Instants are in seconds.
 */
export function expandSeries(entries: CalendarEntry[], expansion: Expansion): Expanded {
  const { window, clockFor } = expansion;
  // An all-day event has the same date in every time zone. It begins at midnight in the city.
  const resolveTime = ({ local, isDay, zone }: CalendarTime) =>
    toInstant(local, clockFor(isDay ? null : zone));
  // The master is the newest version of the entry that describes the whole series.
  const master = entries
    .filter(({ overrides }) => overrides === null)
    .reduce<CalendarEntry | null>(
      (best, each) => (best && best.sequence > each.sequence ? best : each),
      null,
    );
  const overrides = collectOverrides(entries, resolveTime);
  const separateEntries = findSeparateEntries(entries);
  const isSeries =
    master !== null &&
    (master.rules.length > 0 || master.addedDates.length > 0 || separateEntries.length > 0);

  const { starts, isCut, hasBrokenRule } = master
    ? seriesStarts(master, entryLength(master, resolveTime), expansion, resolveTime)
    : { starts: [], isCut: false, hasBrokenRule: false };
  const occurrences: Occurrence[] = [];
  const add = (entry: CalendarEntry, original: number, start: number) => {
    const allDay = entry.starts.isDay;
    const length = entryLength(entry, resolveTime);
    const end = allDay
      ? addCalendarDays(start, Math.round(length / daySeconds), clockFor(null))
      : start + length;
    const [startsAt, endsAt] = [new Date(start * 1000), new Date(end * 1000)];
    if (startsAt >= window.until || endsAt < window.from) return;
    const key = isSeries || entry.overrides ? new Date(original * 1000).toISOString() : "";
    occurrences.push({
      id: shortHash(`${entry.uid}\n${key}`),
      series: shortHash(entry.uid),
      startsAt,
      endsAt,
      allDay,
      title: entry.title,
      description: entry.description,
      location: entry.location,
      url: entry.url,
      categories: entry.categories,
      cancelled: entry.cancelled || master?.cancelled === true,
    });
  };

  for (const original of new Set(starts)) {
    if (master && !overrides.has(original)) add(master, original, original);
  }
  for (const entry of separateEntries)
    if (entry !== master) add(entry, resolveTime(entry.starts), resolveTime(entry.starts));
  // An override is shown at its new time, even if the calendar lacks the series it belongs to.
  for (const [original, entry] of overrides) add(entry, original, resolveTime(entry.starts));

  return {
    occurrences: occurrences.sort(
      (one, other) => one.startsAt.getTime() - other.startsAt.getTime(),
    ),
    isCut,
    hasBrokenRule,
  };
}

/**
 * Some programs write a series as separate entries that share a UID and have no rule. They have the
 * same sequence number and different starts, so none is a newer version of another.
 */
function findSeparateEntries(entries: CalendarEntry[]): CalendarEntry[] {
  const masters = entries.filter(
    ({ overrides, rules, addedDates }) => !overrides && rules.length + addedDates.length === 0,
  );
  const starts = new Set(masters.map(({ starts }) => starts.local));
  const haveSameSequence = masters.every(({ sequence }) => sequence === masters[0]?.sequence);
  return haveSameSequence && starts.size > 1 && starts.size === masters.length ? masters : [];
}

/** The newest entries that replace one date, by the original instant of the date. */
const collectOverrides = (entries: CalendarEntry[], resolveTime: (time: CalendarTime) => number) =>
  new Map(
    entries
      .toSorted((one, other) => one.sequence - other.sequence)
      .flatMap((entry) =>
        entry.overrides ? [[resolveTime(entry.overrides), entry] as const] : [],
      ),
  );

function seriesStarts(
  { starts, rules, addedDates, excludedDates }: CalendarEntry,
  length: number,
  { window, clockFor }: Expansion,
  resolveTime: (time: CalendarTime) => number,
) {
  const clock = clockFor(starts.isDay ? null : starts.zone);
  // All-day events are computed in UTC, where every day has 24 hours and a midnight, and are moved
  // to the city's time zone afterwards.
  const series = {
    start: starts.local,
    clock: starts.isDay ? utcClock : clock,
    isAllDay: starts.isDay,
  };
  const toCityInstant = (instant: Date) => {
    const seconds = instant.getTime() / 1000;
    return starts.isDay ? toInstant(seconds, clock) : seconds;
  };
  const widerWindow = widenWindow(window, length);
  const results = rules.flatMap(
    (rule) => ruleStarts(rule, series, widerWindow, maxPerSeries) ?? [],
  );
  const dates = [
    ...(results.length === 0 ? [resolveTime(starts)] : []),
    ...results.flatMap((result) => result.starts.map(toCityInstant)),
    ...addedDates.map(resolveTime),
  ].sort((one, other) => one - other);
  const excludedInstants = new Set(excludedDates.filter(({ isDay }) => !isDay).map(resolveTime));
  // Some programs exclude a date without a time and mean the event on that date.
  const excludedDays = new Set(
    excludedDates.filter(({ isDay }) => isDay).map(({ local }) => local / daySeconds),
  );
  const toDay = (instant: number) => Math.floor(toLocal(instant, clock) / daySeconds);
  return {
    starts: dates
      .filter((date) => !excludedInstants.has(date))
      .filter((date) => excludedDays.size === 0 || !excludedDays.has(toDay(date)))
      .slice(0, maxPerSeries),
    isCut: dates.length > maxPerSeries || results.some((result) => result.isCut),
    hasBrokenRule: results.length < rules.length,
  };
}

/**
 * Widens the window, because an event that began before it may still be on, and because all-day
 * events begin up to a day earlier or later than in UTC.
 */
function widenWindow({ from, until }: Window, length: number): Window {
  const extraSeconds = Math.min(length, 60 * daySeconds) + daySeconds;
  return {
    from: new Date(from.getTime() - extraSeconds * 1000),
    until: new Date(until.getTime() + daySeconds * 1000),
  };
}

function entryLength(
  { starts, ends, length }: CalendarEntry,
  resolveTime: (time: CalendarTime) => number,
): number {
  const seconds = length ?? (ends ? resolveTime(ends) - resolveTime(starts) : 0);
  return Math.min(Math.max(0, seconds), maxEventSeconds);
}

/** Adds calendar days, not multiples of 24 hours: a day when clocks change has 23 or 25 hours. */
function addCalendarDays(instant: number, days: number, clock: ZoneClock): number {
  const day = Math.floor(toLocal(instant, clock) / daySeconds);
  return toInstant((day + days) * daySeconds, clock);
}

/** Sixteen letters and digits, which are safe in a URL. */
const shortHash = (text: string) =>
  BigInt(`0x${createHash("sha256").update(text).digest("hex").slice(0, 20)}`)
    .toString(36)
    .padStart(16, "0");
