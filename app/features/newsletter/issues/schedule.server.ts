import { addDays, calendarDay, instantAt } from "../../../lib/dates.ts";
import { weekdays } from "../files.server.ts";

type Schedule = { weekday: string; time: string };

/** An issue that has been due for longer than this is no longer sent. */
const maxDelayMs = 12 * 3_600_000;

/**
 * Finds the issue that is due now in the city's time zone. Returns null if its time has not come
 * yet, or passed too long ago.
 */
export function findDueIssue(
  { weekday, time }: Schedule,
  now: Date,
  timeZone: string,
): { id: string; at: Date } | null {
  const today = calendarDay(now, timeZone);
  // Yesterday counts too: an issue that is due late in the evening may be sent after midnight.
  for (const id of [today, addDays(today, -1)]) {
    if (weekdays[new Date(id).getUTCDay()] !== weekday) continue;
    const at = instantAt(id, time, timeZone);
    if (at <= now && now.getTime() - at.getTime() < maxDelayMs) return { id, at };
  }
  return null;
}
