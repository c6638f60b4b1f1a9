import { addDays, calendarDay, instantAt } from "../../lib/dates.ts";
import { ruleStarts, type Window } from "../calendars/rules.server.ts";
import { type CityEvent, eventItem, isOver } from "./describe.server.ts";
import type { EventRecord, Moment } from "./files.server.ts";
import type { EventItem } from "./model.ts";

/** More dates of one file than any page shows. */
const maxDates = 100;

/** The dates of an event of our own within a window. What is said in days from today becomes a date here, when it is read. */
export function datesOf(record: EventRecord, window: Window, now: Date, timeZone: string): CityEvent[] {
  const { front } = record;
  const [startsAt, endsAt] = [instantOf(front.starts, now, timeZone), instantOf(front.ends, now, timeZone)];
  const lengthMs = endsAt.getTime() - startsAt.getTime();
  if (front.repeats === undefined) return [eventOf(record, startsAt, endsAt)];
  const start = `${calendarDay(startsAt, timeZone)}T${front.starts.at}:00`.replaceAll(/[-:]/g, "");
  const from = new Date(window.from.getTime() - lengthMs);
  const answer = ruleStarts(front.repeats, start, timeZone, { ...window, from }, maxDates);
  const starts = answer.kind === "starts" ? answer.starts : [startsAt];
  return starts.map((each) => eventOf(record, each, new Date(each.getTime() + lengthMs)));
}

function eventOf({ id, front, html }: EventRecord, startsAt: Date, endsAt: Date): CityEvent {
  const { title, excerpt, category, location, free, sample, image, dateText, timeText, link } = front;
  return {
    ...{ id, series: `file:${id}`, isSeries: front.repeats !== undefined },
    ...{ title, excerpt, html, text: excerpt, location, category, free, startsAt, endsAt, allDay: false },
    ...{ image: image ?? null, isSample: sample, cancelled: false, source: null, link: link ?? null },
    words: { date: dateText ?? null, time: timeText ?? null },
  };
}

/** The date that is on or comes next; when all are over, the last. With it, those that follow. */
export function nextDate(
  record: EventRecord,
  now: Date,
  timeZone: string,
): { event: CityEvent; others: CityEvent[] } | null {
  const year = { from: new Date(now.getTime() - halfYearMs), until: new Date(now.getTime() + halfYearMs) };
  const dates = datesOf(record, year, now, timeZone);
  const coming = dates.filter((date) => !isOver(date, now));
  const event = coming[0] ?? dates.at(-1);
  return event ? { event, others: coming.slice(1) } : null;
}

const halfYearMs = 183 * 24 * 60 * 60 * 1000;

/** The events of these ids, in this order. One that is gone leaves no gap. */
export function pickEvents(records: EventRecord[], ids: string[], now: Date, timeZone: string): EventItem[] {
  return ids.flatMap((id) => {
    const record = records.find((candidate) => candidate.id === id);
    const next = record ? nextDate(record, now, timeZone) : null;
    return next ? [eventItem(next.event, timeZone)] : [];
  });
}

function instantOf(when: Moment, now: Date, timeZone: string): Date {
  const day = "on" in when ? when.on : addDays(calendarDay(now, timeZone), when.inDays);
  return instantAt(day, when.at, timeZone);
}
