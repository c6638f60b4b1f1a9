import { addDays, calendarDay, instantAt, readTimeOfDay } from "../../lib/dates.ts";
import { isDay } from "../../lib/is-day.ts";
import { toSafeLine } from "../../lib/text/plain-text.ts";
import { toTypographic } from "../../lib/text/typography/typography.ts";
import { maxAlertLength } from "./model.ts";

/** What an editor typed, or a sentence that says what is wrong with it. */
export type Checked<T> = { ok: true; value: T } | { ok: false; message: string };

const accept = <T>(value: T): Checked<T> => ({ ok: true, value });
const reject = (message: string): Checked<never> => ({ ok: false, message });

export function checkText(typed: string): Checked<string> {
  const text = toTypographic(toSafeLine(typed).replaceAll(/\s+/g, " ").trim());
  if (text === "") return reject("The text is missing.");
  return text.length > maxAlertLength
    ? reject(`The text has ${text.length} characters. At most ${maxAlertLength} fit in an alert.`)
    : accept(text);
}

/** A path of this site or a URL. Null if nothing was typed. */
export function checkLink(typed: string): Checked<string | null> {
  const link = typed.trim();
  if (link === "") return accept(null);
  const url = /^https?:\/\//i.test(link) ? URL.parse(link) : null;
  if (url) return accept(url.href);
  return /^\/(?!\/)[^\s\\]*$/.test(link)
    ? accept(link)
    : reject(`"${link}" is not a link. Use a page of this site, such as /news, or a whole URL.`);
}

const dayMs = 24 * 3_600_000;
/** A later end is probably a typing mistake. */
const maxDays = 60;

/**
 * Checks when an alert is to end. "18:00", "6 pm" and "midnight" are the next such time in the
 * city, which may be tomorrow; "2026-11-20 18:00" is that day.
 */
export function checkUntil(typed: string, now: Date, timeZone: string): Checked<Date> {
  const written = typed.trim();
  const [, day, timeOfDay = written] = /^(\d{4}-\d\d-\d\d)[T ]\s*(.*)$/i.exec(written) ?? [];
  const time =
    day === undefined
      ? (namedTimes.get(written.toLowerCase()) ?? readTimeOfDay(written))
      : readTimeOfDay(timeOfDay);
  const end =
    time === null
      ? null
      : day === undefined
        ? findNextTime(time, now, timeZone)
        : isDay(day)
          ? instantAt(day, time, timeZone)
          : null;
  if (end === null)
    return reject(
      `"${written}" is not a time. Use for example 18:00, "6 pm" or "2026-11-20 18:00".`,
    );
  if (end <= now) return reject(`"${written}" is in the past.`);
  return end.getTime() - now.getTime() > maxDays * dayMs
    ? reject(`"${written}" is too far away. An alert ends within ${maxDays} days.`)
    : accept(end);
}

export const isDateAndTime = (text: string): boolean =>
  /^.{10}[T ]([01]\d|2[0-3]):[0-5]\d$/.test(text) && isDay(text.slice(0, 10));

const namedTimes = new Map([
  ["noon", "12:00"],
  ["midnight", "00:00"],
  ["24:00", "00:00"],
]);

/** The next time at which clocks in the city show HH:MM. */
function findNextTime(time: string, now: Date, timeZone: string): Date {
  const today = calendarDay(now, timeZone);
  const end = instantAt(today, time, timeZone);
  return end > now ? end : instantAt(addDays(today, 1), time, timeZone);
}
