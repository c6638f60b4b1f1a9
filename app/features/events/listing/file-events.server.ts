import { addDays, calendarDay, instantAt } from "../../../lib/dates.ts";
import type { EventRecord, Moment } from "../files.server.ts";
import { ruleStarts, type Window } from "../import/expand-rule.server.ts";
import { clockOf, localSeconds } from "../import/local-time.server.ts";
import { isInSeason, nextDayInSeason } from "../seasons.ts";
import type { CityEvent } from "./city-event.ts";
import { isOver } from "./describe.server.ts";

/** More dates of one file than any page shows: a daily event for a year. */
const maxDates = 366;

/**
 * The dates of an event of our own within a window. What is said in days from today becomes a date
 * here, when it is read.
 */
export function datesOf(
  record: EventRecord,
  window: Window,
  now: Date,
  timeZone: string,
): CityEvent[] {
  const { front } = record;
  const { startsAt, endsAt } = firstDate(front, now, timeZone);
  const lengthMs = endsAt.getTime() - startsAt.getTime();
  if (front.repeats === undefined) return [toCityEvent(record, startsAt, endsAt)];
  const series = {
    start: localSeconds(calendarDay(startsAt, timeZone), front.starts.at),
    clock: clockOf(timeZone),
    isWholeDays: false,
  };
  const from = new Date(window.from.getTime() - lengthMs);
  const answer = ruleStarts(front.repeats, series, { ...window, from }, maxDates);
  const starts = answer.kind === "starts" ? answer.starts : [startsAt];
  return starts
    .filter((each) => isInSeason(calendarDay(each, timeZone), front.months))
    .map((each) => toCityEvent(record, each, new Date(each.getTime() + lengthMs)));
}

/**
 * A sample that is a number of days away is never over: when today's has ended, it is tomorrow's.
 */
function firstDate(front: EventRecord["front"], now: Date, timeZone: string) {
  const today = calendarDay(now, timeZone);
  const date = dateFrom(front, today, timeZone);
  const isRelative = "inDays" in front.starts && "inDays" in front.ends;
  return isRelative && date.endsAt <= now ? dateFrom(front, addDays(today, 1), timeZone) : date;
}

/**
 * Out of season an event that is a number of days away waits for the next day in season, and its
 * end moves with it.
 */
function dateFrom({ starts, ends, months }: EventRecord["front"], today: string, timeZone: string) {
  const dayOf = (when: Moment) => ("on" in when ? when.on : addDays(today, when.inDays));
  const planned = dayOf(starts);
  const startDay = nextDayInSeason(planned, months);
  const endDay = "on" in ends ? ends.on : addDays(dayOf(ends), daysBetween(planned, startDay));
  return {
    startsAt: instantAt(startDay, starts.at, timeZone),
    endsAt: instantAt(endDay, ends.at, timeZone),
  };
}

function toCityEvent({ id, front, html }: EventRecord, startsAt: Date, endsAt: Date): CityEvent {
  const { title, excerpt, category, location, free, sample, image, dateText, timeText, link } =
    front;
  return {
    id,
    series: `file:${id}`,
    isSeries: front.repeats !== undefined,
    title,
    excerpt,
    html,
    text: excerpt,
    location,
    category,
    free,
    startsAt,
    endsAt,
    allDay: false,
    image: image ?? null,
    isSample: sample,
    cancelled: false,
    source: null,
    link: link ?? null,
    textOverrides: { date: dateText ?? null, time: timeText ?? null },
  };
}

/** The date that is on or comes next; when all are over, the last. With it, those that follow. */
export function nextDate(
  record: EventRecord,
  now: Date,
  timeZone: string,
): { event: CityEvent; others: CityEvent[] } | null {
  const ahead = { from: now, until: new Date(now.getTime() + yearMs) };
  const [next, ...others] = datesOf(record, ahead, now, timeZone).filter(
    (date) => !isOver(date, now),
  );
  if (next) return { event: next, others };
  const past = { from: new Date(now.getTime() - yearMs), until: now };
  const last = datesOf(record, past, now, timeZone).at(-1);
  return last ? { event: last, others: [] } : null;
}

const dayMs = 24 * 60 * 60 * 1000;
const yearMs = 366 * dayMs;
const daysBetween = (first: string, last: string) => (Date.parse(last) - Date.parse(first)) / dayMs;

/** The specification's number of events on the front page. */
const featuredCount = 2;
/** An event further away is not announced while there is a nearer one. */
const soonDays = 31;

/**
 * The events of the front page. Of the files that the newsroom names, in its order, those that are
 * on soon come first; when there are too few, the other files fill up. So the front page announces
 * nothing that is over or out of season, also when nobody has changed the list for a year.
 */
export function featuredEvents(
  records: EventRecord[],
  ids: string[],
  now: Date,
  timeZone: string,
): CityEvent[] {
  const byStart = (one: CityEvent, other: CityEvent) =>
    one.startsAt.getTime() - other.startsAt.getTime();
  const named = ids.flatMap((id) => records.filter((record) => record.id === id));
  const others = records.filter(({ id }) => !ids.includes(id));
  const soon = { from: now, until: new Date(now.getTime() + soonDays * dayMs) };
  const soonOf = (record: EventRecord) =>
    datesOf(record, soon, now, timeZone)
      .filter((date) => !isOver(date, now) && date.startsAt < soon.until)
      .slice(0, 1);
  const first = named.values().flatMap(soonOf).take(featuredCount).toArray();
  if (first.length < featuredCount) first.push(...others.flatMap(soonOf).sort(byStart));
  if (first.length < featuredCount) {
    const known = new Set(first.map(({ id }) => id));
    const later = [...named, ...others].filter(({ id }) => !known.has(id));
    first.push(
      ...later
        .flatMap((record) => nextDate(record, now, timeZone)?.event ?? [])
        .filter((event) => !isOver(event, now))
        .sort(byStart),
    );
  }
  return first.slice(0, featuredCount).sort(byStart);
}
