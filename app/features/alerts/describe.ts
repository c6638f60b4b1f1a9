import { calendarDay, clockTime, formatByZone } from "../../lib/dates.ts";
import type { Alert } from "./model.ts";

const longDay = formatByZone({ month: "long", day: "numeric" });
const shortDay = formatByZone({ month: "short", day: "numeric" });

/** An end at midnight belongs to the day that ends: "12:00 AM" of the next day is often misread. */
function readEnd(endsAt: Date, timeZone: string): { day: Date; time: string } {
  const time = clockTime(endsAt, timeZone);
  return time === "12:00 AM"
    ? { day: new Date(endsAt.getTime() - 1), time: "midnight" }
    : { day: endsAt, time };
}

/**
 * Says when an alert runs: "November 18, 2:14 PM to 6:00 PM". The day is part of it, because pages
 * are also read as copies on another day.
 */
export function describeTimes(
  { startsAt, endsAt, issuer }: Pick<Alert, "startsAt" | "endsAt" | "issuer">,
  timeZone: string,
): string {
  const showDay = (instant: Date) => longDay(timeZone).format(instant);
  const start = clockTime(startsAt, timeZone);
  // An alert that was ended within a minute.
  if (endsAt.getTime() - startsAt.getTime() < 60_000 && clockTime(endsAt, timeZone) === start)
    return withAuthority(`${showDay(startsAt)}, ${start}`, issuer);
  const end = readEnd(endsAt, timeZone);
  const isSameDay = calendarDay(startsAt, timeZone) === calendarDay(end.day, timeZone);
  const until = isSameDay ? end.time : `${showDay(end.day)}, ${end.time}`;
  return withAuthority(`${showDay(startsAt)}, ${start} to ${until}`, issuer);
}

/** When an alert that runs ends, short enough for a line of the banner: "Until Nov 18, 6:00 PM". */
export function describeEnd(
  { endsAt, issuer }: Pick<Alert, "endsAt" | "issuer">,
  timeZone: string,
): string {
  const { day, time } = readEnd(endsAt, timeZone);
  return withAuthority(`Until ${shortDay(timeZone).format(day)}, ${time}`, issuer);
}

const withAuthority = (times: string, issuer: Alert["issuer"]) =>
  issuer === "official" ? `${times}, National Weather Service` : times;

export const levelNames = { notice: "Notice", urgent: "Urgent" } as const;
