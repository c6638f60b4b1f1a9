import { addDays, calendarDay, instantAt } from "../../lib/dates.ts";
import type { EventRecord, Moment } from "./files.server.ts";
import type { EventDetails, EventItem } from "./model.ts";

/** An event as it stands now: what is said in days from today becomes a date here, when it is read. */
export function eventDetails({ id, front, html }: EventRecord, now: Date, timeZone: string): EventDetails {
  const { title, excerpt, category, location, free, sample, image, dateText, timeText } = front;
  const [starts, ends] = [instantOf(front.starts, now, timeZone), instantOf(front.ends, now, timeZone)];
  const range = (style: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-US", { timeZone, ...style }).formatRange(starts, ends);
  const isOneDay = calendarDay(starts, timeZone) === calendarDay(ends, timeZone);
  const day = { month: "long", day: "numeric", year: "numeric" } as const;
  return {
    ...{ id, title, excerpt, location, image, category, free, html, isSample: sample },
    dateLine: dateText ?? range(isOneDay ? { weekday: "long", ...day } : day),
    timeLine: timeText ?? hours(starts, ends, timeZone),
    startsAt: starts.toISOString(),
    endsAt: ends.toISOString(),
    isPast: ends < now,
  };
}

export function eventItem(event: EventDetails): EventItem {
  const { id, title, excerpt, location, dateLine, timeLine, image, isSample } = event;
  return { id, title, excerpt, location, dateLine, timeLine, image, isSample };
}

export function findEvent(
  records: EventRecord[],
  id: string,
  now: Date,
  timeZone: string,
): EventDetails | null {
  const record = records.find((candidate) => candidate.id === id);
  return record ? eventDetails(record, now, timeZone) : null;
}

/** The events of these ids, in this order. One that is gone leaves no gap. */
export function pickEvents(records: EventRecord[], ids: string[], now: Date, timeZone: string): EventItem[] {
  return ids.flatMap((id) => findEvent(records, id, now, timeZone) ?? []).map(eventItem);
}

function instantOf(when: Moment, now: Date, timeZone: string): Date {
  const day = "on" in when ? when.on : addDays(calendarDay(now, timeZone), when.inDays);
  return instantAt(day, when.at, timeZone);
}

/** From hour to hour, also when the end is on another day. */
function hours(starts: Date, ends: Date, timeZone: string): string {
  const hour = new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", minute: "2-digit" });
  return `${hour.format(starts)} – ${hour.format(ends)}`;
}
