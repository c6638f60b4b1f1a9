import { addDays, calendarDay, instantAt } from "../../../lib/dates.ts";
import { clockOf } from "../../../lib/zone-clock.ts";
import { ruleStarts, type Window } from "../calendars/recurrence/expand-rule.server.ts";
import { localSeconds } from "../calendars/recurrence/local-time.server.ts";
import { type EventRecord, type EventTime, isInSeason, nextDayInSeason } from "../files.server.ts";
import { isOver } from "./describe.server.ts";
import { fromFile } from "./to-city-event.server.ts";

/** Enough for a daily event for more than two years. */
const maxDates = 1_000;
/** How many further dates the page of an event shows: enough for a daily event for a year. */
const maxOthers = 365;

/**
 * Returns the dates of an event file within a window. A start that is given as days from today
 * becomes a date here, so it is another one each day.
 */
export function datesOf(record: EventRecord, window: Window, now: Date, timeZone: string) {
  const { front } = record;
  const { startsAt, endsAt } = firstDate(front, now, timeZone);
  const lengthMs = endsAt.getTime() - startsAt.getTime();
  if (front.repeats === undefined) return [fromFile(record, startsAt, endsAt)];
  const series = {
    start: localSeconds(calendarDay(startsAt, timeZone), front.starts.at),
    clock: clockOf(timeZone),
  };
  const from = new Date(window.from.getTime() - lengthMs);
  const result = ruleStarts(front.repeats, series, { ...window, from }, maxDates);
  const starts = result?.starts ?? [startsAt];
  const takesPlace = (day: string) => isInSeason(day, front.months) && !front.except.includes(day);
  const dates = starts
    .filter((each) => takesPlace(calendarDay(each, timeZone)))
    .map((each) => fromFile(record, each, new Date(each.getTime() + lengthMs)));
  const next = dates.findIndex((date) => !isOver(date, now));
  for (const date of next < 0 ? [] : dates.slice(next + 1))
    date.day = calendarDay(date.startsAt, timeZone);
  return dates;
}

/**
 * Returns the first date. An event whose start is given as days from today is never over: when its
 * date has ended, the event moves to the next day.
 */
function firstDate(front: EventRecord["front"], now: Date, timeZone: string) {
  const today = calendarDay(now, timeZone);
  const date = dateFrom(front, today, timeZone);
  return "inDays" in front.starts && date.endsAt <= now
    ? dateFrom(front, addDays(today, 1), timeZone)
    : date;
}

/**
 * Converts the start and the end to dates relative to `today`. An event whose start is given as
 * days from today moves to the next day in season, together with its end.
 */
function dateFrom({ starts, ends, months }: EventRecord["front"], today: string, timeZone: string) {
  const dayOf = (when: EventTime) => ("on" in when ? when.on : addDays(today, when.inDays));
  const plannedDay = dayOf(starts);
  const startDay = nextDayInSeason(plannedDay, months);
  const endDay = "on" in ends ? ends.on : addDays(dayOf(ends), daysBetween(plannedDay, startDay));
  return {
    startsAt: instantAt(startDay, starts.at, timeZone),
    endsAt: instantAt(endDay, ends.at, timeZone),
  };
}

/** Returns when dates of the event may end today: this changes what `datesOf` returns. */
export function endsOf(front: EventRecord["front"], today: string, timeZone: string): Date[] {
  const { startsAt, endsAt } = dateFrom(front, today, timeZone);
  if (front.repeats === undefined) return "inDays" in front.ends ? [endsAt] : [];
  const lengthMs = endsAt.getTime() - startsAt.getTime();
  return [addDays(today, -1), today].map(
    (day) => new Date(instantAt(day, front.starts.at, timeZone).getTime() + lengthMs),
  );
}

/**
 * Returns the current or next date with the dates after it, or the last date if all are over. If
 * `day` is that of one of the dates after it, this date takes the place of the next one.
 */
export function nextDate(
  record: EventRecord,
  now: Date,
  timeZone: string,
  day: string | null = null,
) {
  const nextYear = { from: now, until: new Date(now.getTime() + yearMs) };
  const dates = datesOf(record, nextYear, now, timeZone)
    .filter((date) => !isOver(date, now))
    .slice(0, maxOthers + 1);
  const event = dates.find((date) => day !== null && date.day === day) ?? dates[0];
  if (event) return { event, others: dates.filter((date) => date !== event) };
  const lastYear = { from: new Date(now.getTime() - yearMs), until: now };
  const last = datesOf(record, lastYear, now, timeZone).at(-1);
  return last ? { event: last, others: [] } : null;
}

const dayMs = 24 * 60 * 60 * 1000;
const yearMs = 366 * dayMs;
const daysBetween = (first: string, last: string) => (Date.parse(last) - Date.parse(first)) / dayMs;
