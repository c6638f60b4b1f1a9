import { calendarDay, clockTime, formatByZone } from "../../lib/dates.ts";
import type { Alert } from "./model.ts";

const monthAndDay = formatByZone({ month: "long", day: "numeric" });

const shortDay = (instant: Date, timeZone: string) => monthAndDay(timeZone).format(instant);

/**
 * When an alert runs: "November 18, 2:14 PM to 6:00 PM". The day is part of it, because pages are
 * also read as copies on another day.
 */
export function describeTimes(
  { startsAt, endsAt }: Pick<Alert, "startsAt" | "endsAt">,
  timeZone: string,
): string {
  const isSameDay = calendarDay(startsAt, timeZone) === calendarDay(endsAt, timeZone);
  const end = clockTime(endsAt, timeZone);
  return `${shortDay(startsAt, timeZone)}, ${clockTime(startsAt, timeZone)} to ${
    isSameDay ? end : `${shortDay(endsAt, timeZone)}, ${end}`
  }`;
}

export const levelNames = { notice: "Notice", urgent: "Urgent" } as const;
