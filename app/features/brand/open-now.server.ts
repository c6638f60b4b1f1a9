import {
  addDays,
  calendarDay,
  clockTime,
  formatByZone,
  instantAt,
  nextMidnight,
} from "../../lib/dates.ts";
import type { PageServices } from "../../platform/services.ts";
import { siteSettingsFile } from "./files.server.ts";

/**
 * Says whether a place with these opening hours is open. The page expires when that changes. Null
 * without opening hours, and for a text such as "By appointment".
 */
export function readOpenNow(
  { site, clock, expireAt }: Pick<PageServices, "site" | "clock" | "expireAt">,
  hours: string | undefined,
): string | null {
  const slots = hours ? parseOpeningHours(hours) : null;
  const opening = slots && describeOpening(slots, clock(), site.read(siteSettingsFile).timeZone);
  if (!opening) return null;
  expireAt(opening.changesAt);
  return opening.text;
}

/** Opening hours on a day of the week, 0 for Sunday. Times are HH:MM. */
type OpenSlot = { weekday: number; from: string; to: string };

const dayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const maxLength = 200;

/** Reads opening hours such as "Mon–Fri 9am–5pm, Sat 10:00–14:00". Null for other texts. */
export function parseOpeningHours(written: string): OpenSlot[] | null {
  if (written.length > maxLength) return null;
  const parts = written
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?(?:[-–—]|\bto\b) ?/g, "-")
    .split(/[,;] ?|(?<=[apm\d]) (?=[a-z]{3,})|\band\b/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const slots: OpenSlot[] = [];
  // In "Mon, Wed 9am-5pm", Monday has no time of its own and gets the next one.
  let days: number[] = [];
  for (const part of parts) {
    const [, dayText = "", timeText] = /^([a-z-]+)\.?:?(?: (.+))?$/.exec(part) ?? [];
    const named = parseDays(dayText);
    if (!named) return null;
    days.push(...named);
    if (timeText === undefined) continue;
    const [from, to, ...others] = timeText.split("-").map(parseTime);
    if (!from || !to || others.length > 0 || from === to) return null;
    slots.push(...days.map((weekday) => ({ weekday, from, to })));
    days = [];
  }
  return slots.length > 0 && days.length === 0 ? slots : null;
}

function parseDays(written: string): number[] | null {
  if (/^(?:daily|every day)$/.test(written)) return [0, 1, 2, 3, 4, 5, 6];
  const [first = -1, last = first, ...others] = written
    .split("-")
    .map((name) =>
      name.length < 3 ? -1 : dayNames.findIndex((day) => day.startsWith(name.replace(/s$/, ""))),
    );
  if (first < 0 || last < 0 || others.length > 0) return null;
  const count = ((last - first + 7) % 7) + 1;
  return Array.from({ length: count }, (_, index) => (first + index) % 7);
}

function parseTime(written: string): string | null {
  if (written === "noon") return "12:00";
  if (written === "midnight") return "00:00";
  const [, hour = "", minute = "00", half] =
    /^(\d{1,2})(?::(\d\d))? ?(am|pm)?$/.exec(written.replaceAll(".", "")) ?? [];
  const hours = half ? (Number(hour) % 12) + (half === "pm" ? 12 : 0) : Number(hour);
  const isTime = hour !== "" && hours < 24 && Number(minute) < 60 && (!half || Number(hour) <= 12);
  return isTime ? `${String(hours).padStart(2, "0")}:${minute}` : null;
}

const weekdayName = formatByZone({ weekday: "long" });

/** Says whether a place is open, and until when that is true. */
export function describeOpening(
  slots: OpenSlot[],
  now: Date,
  timeZone: string,
): { text: string; changesAt: Date } | null {
  const today = calendarDay(now, timeZone);
  // A place may have opened yesterday, and may open in a week.
  const openings = Array.from({ length: 9 }, (_, index) => addDays(today, index - 1))
    .flatMap((day) => {
      const weekday = new Date(day).getUTCDay();
      return slots
        .filter((slot) => slot.weekday === weekday)
        .map(({ from, to }) => ({
          day,
          opensAt: instantAt(day, from, timeZone),
          closesAt: instantAt(to <= from ? addDays(day, 1) : day, to, timeZone),
        }));
    })
    .toSorted((one, other) => one.opensAt.getTime() - other.opensAt.getTime());
  const next = openings.find(({ closesAt }) => closesAt > now);
  if (!next) return null;
  const showTime = (instant: Date) =>
    clockTime(instant, timeZone).replace(":00", "").replace(/\s/, "\u00a0");
  if (next.opensAt <= now)
    return { text: `Open now, until ${showTime(next.closesAt)}`, changesAt: next.closesAt };
  const day =
    next.day === today
      ? "today"
      : next.day === addDays(today, 1)
        ? "tomorrow"
        : weekdayName(timeZone).format(next.opensAt);
  return {
    text: `Closed now, opens ${day} ${showTime(next.opensAt)}`,
    changesAt: next.day === today ? next.opensAt : nextMidnight(now, timeZone),
  };
}
