import { calendarDay, clockTime, formatByZone } from "../../lib/dates.ts";
import type { Alert } from "./model.ts";

const monthAndDay = formatByZone({ month: "long", day: "numeric" });

const shortDay = (instant: Date, timeZone: string) => monthAndDay(timeZone).format(instant);

/**
 * When an alert runs, and which authority sent it: "November 18, 2:14 PM to 6:00 PM". The day is part
 * of it, because pages are also read as copies on another day.
 */
export function describeTimes(
  { startsAt, endsAt, source }: Pick<Alert, "startsAt" | "endsAt" | "source">,
  timeZone: string,
): string {
  const isSameDay = calendarDay(startsAt, timeZone) === calendarDay(endsAt, timeZone);
  const end = clockTime(endsAt, timeZone);
  const start = clockTime(startsAt, timeZone);
  const until = isSameDay ? end : `${shortDay(endsAt, timeZone)}, ${end}`;
  // An alert that was ended within a minute.
  const isMinute = isSameDay && start === end;
  const times = `${shortDay(startsAt, timeZone)}, ${start}${isMinute ? "" : ` to ${until}`}`;
  return withAuthority(times, source);
}

/** When an alert that runs ends, for the banner: "Until November 18, 6:00 PM". */
export const describeEnd = (
  { endsAt, source }: Pick<Alert, "endsAt" | "source">,
  timeZone: string,
) => withAuthority(`Until ${shortDay(endsAt, timeZone)}, ${clockTime(endsAt, timeZone)}`, source);

const withAuthority = (times: string, source: Alert["source"]) =>
  source === "official" ? `${times}, National Weather Service` : times;

export const levelNames = { notice: "Notice", urgent: "Urgent" } as const;
