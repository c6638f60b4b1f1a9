import { instantAt } from "../../../lib/dates.ts";

const months =
  "january february march april may june july august september october november december".split(
    " ",
  );
const weekdays = "sunday monday tuesday wednesday thursday friday saturday".split(" ");

/** Minutes ahead of UTC, by zone name. RFC 822 has some of the names; the others occur in feeds. */
const zoneOffsets = new Map<string, number>();
for (const [offset, names] of [
  [-600, "hst"],
  [-540, "akst hdt"],
  [-480, "pst akdt"],
  [-420, "mst pdt"],
  [-360, "cst mdt"],
  [-300, "est cdt"],
  [-240, "edt ast"],
  [-180, "adt"],
  [0, "z ut utc gmt wet"],
  [60, "bst cet"],
  [120, "cest"],
] as const)
  for (const name of names.split(" ")) zoneOffsets.set(name, offset);

/** Zone names whose offset depends on daylight saving time. */
const zonesWithDst = new Map([
  ["at", "America/Halifax"],
  ["et", "America/New_York"],
  ["ct", "America/Chicago"],
  ["mt", "America/Denver"],
  ["pt", "America/Los_Angeles"],
]);
const maxOffsetMinutes = 14 * 60;

const weekday = String.raw`(?:(?<weekday>\p{L}{2,12})\.?(?:,\s?|\s))?`;
const monthName = String.raw`(?<month>\p{L}{3,15})\.?`;
const year = String.raw`(?<year>\d{4}|\d{2})(?!\d)`;
const meridiem = String.raw`(?<amPm>[ap]\.?\s?m(?![a-z])\.?)`;
const time = String.raw`(?<hours>\d{1,2})(?:[:.](?<minutes>\d{2})(?:[:.](?<seconds>\d{2})(?:[.,]\d+)?)?)?\s?${meridiem}?`;
/** A zone name, an offset, both (GMT+1), or an offset followed by its name (+0100 CET). */
const zone = String.raw`\s?(?:\(?(?<zone>[a-z]{1,5})(?![a-z])\)?)?\s?(?:(?<sign>[+\u2212-])(?<zoneHours>\d{1,2})(?::?(?<zoneMinutes>\d{2}))?(?!\d)(?:\s?\(?[a-z]{1,5}(?![a-z])\)?)?)?`;
const timeAndZone = String.raw`(?:(?:,?\s[-\u2013|@]\s|,?\sat\s|[\st,:]{1,2})${time})?${zone}`;
const toPattern = (source: string) => new RegExp(`^${source}`, "iu");

/** The patterns are tried in this order, on at most 100 characters. */
const patterns = [
  // 2026-11-14T10:00:00Z, 2026/11/14 10:00, Sat, 2026-Nov-14
  toPattern(
    String.raw`${weekday}(?<year>\d{4})(?<between>[-/.\s])(?:0?(?<monthNumber>\d{1,2})|${monthName})\k<between>(?<day>\d{1,2})(?!\d)${timeAndZone}`,
  ),
  // 20261114T100000Z
  toPattern(
    String.raw`(?<year>\d{4})(?<monthNumber>\d{2})(?<day>\d{2})t(?<hours>\d{2})(?<minutes>\d{2})(?<seconds>\d{2})${zone}`,
  ),
  // Sat, 14 Nov 2026 10:00:00 EST, 14-Nov-26, 14th of November, 2026
  toPattern(
    String.raw`${weekday}(?<day>\d{1,2})(?:st|nd|rd|th)?[\s/.,-]{0,2}(?:of\s)?${monthName},?[\s/-]{0,2}${year}${timeAndZone}`,
  ),
  // Sat Nov 14 10:00:00 EST 2026
  toPattern(String.raw`${weekday}${monthName}\s(?<day>\d{1,2}),?\s${time}${zone}\s(?<year>\d{4})$`),
  // November 14, 2026 3:04 PM
  toPattern(
    String.raw`${weekday}${monthName}[\s-](?<day>\d{1,2})(?:st|nd|rd|th)?(?:,\s?|[\s-])(?<year>\d{4})(?!\d)${timeAndZone}`,
  ),
  // 11/14/2026 3:04 PM, 14.11.2026 15:04, Sat, 11/14/2026 - 10:00
  toPattern(
    String.raw`${weekday}(?<first>\d{1,2})(?<between>[-/.\s])(?<second>\d{1,2})\k<between>${year}${timeAndZone}`,
  ),
];

/**
 * A date without a time is stored as noon UTC, the same day in all of America and Europe, plus one
 * millisecond, which marks it: dates in feeds are read to the second.
 */
const dayOnlyMs = 12 * 60 * 60 * 1000 + 1;

export const isDayOnly = (instant: Date): boolean =>
  instant.getTime() % (24 * 60 * 60 * 1000) === dayOnlyMs;

/**
 * Parses a date in any notation of English feeds, in UTC if it names no zone. Null for an
 * unreadable or ambiguous date, because a guess may be wrong.
 */
export function parseFeedDate(input: string): Date | null {
  const text = input.slice(0, 200).trim().replace(/\s+/g, " ").slice(0, 100);
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000);
  if (/^\d{13}$/.test(text)) return new Date(Number(text));
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (!match?.groups) continue;
    // Text after the match may be a time in an unknown notation. Only a zone name in brackets may
    // follow, because it just repeats the offset.
    if (/^\s*[^\s([]/.test(text.slice(match[0].length))) return null;
    const day = toDay(match.groups);
    return day && toInstant(day, match.groups);
  }
  return null;
}

type Groups = Record<string, string | undefined>;
type Day = { year: number; month: number; day: number };

function toDay({ weekday: name, year = "", month, monthNumber, day, ...rest }: Groups): Day | null {
  const { first, second, between } = rest;
  const yearNumber = parseYear(year);
  if (first === undefined || second === undefined) {
    const index = month === undefined ? Number(monthNumber) - 1 : findName(months, month);
    return toValidDay(yearNumber, index, Number(day));
  }
  const dayFirst = toValidDay(yearNumber, Number(second) - 1, Number(first));
  const monthFirst = toValidDay(yearNumber, Number(first) - 1, Number(second));
  if (!dayFirst || !monthFirst || first === second) return dayFirst ?? monthFirst;
  // Either number could be the month. Dates with dots always begin with the day. For others, only
  // the weekday can decide.
  if (between === ".") return dayFirst;
  const expected = findName(weekdays, name ?? "");
  const matches = [dayFirst, monthFirst].filter((each) => getWeekday(each) === expected);
  return matches.length === 1 ? (matches[0] ?? null) : null;
}

/** The index of a name, which may be abbreviated to at least three letters. */
const findName = (names: string[], name: string) =>
  name.length < 3 ? -1 : names.findIndex((each) => each.startsWith(name.toLowerCase()));
const getWeekday = ({ year: y, month, day }: Day) => new Date(Date.UTC(y, month, day)).getUTCDay();
const parseYear = (digits: string) =>
  digits.length === 2 ? Number(digits) + (Number(digits) < 70 ? 2000 : 1900) : Number(digits);

function toValidDay(year: number, month: number, day: number): Day | null {
  const date = new Date(Date.UTC(year, month, day));
  return year >= 1970 && date.getUTCMonth() === month && date.getUTCDate() === day
    ? { year, month, day }
    : null;
}

function toInstant({ year, month, day }: Day, groups: Groups): Date | null {
  const { hours, minutes = "0", seconds = "0", amPm, zone: zoneName, zoneHours } = groups;
  const midnight = Date.UTC(year, month, day);
  const name = zoneName?.toLowerCase() ?? "utc";
  if (hours === undefined) {
    const isZoneValid = zoneHours === undefined ? isZone(name) : groups.zoneMinutes !== undefined;
    return isZoneValid ? new Date(midnight + dayOnlyMs) : null;
  }
  if (groups.minutes === undefined && amPm === undefined) return null;
  const hour = amPm ? (Number(hours) % 12) + (/^p/i.test(amPm) ? 12 : 0) : Number(hours);
  if (amPm ? Number(hours) > 12 || Number(hours) === 0 : hour > 24) return null;
  if (Number(minutes) > 59 || Number(seconds) > 60 || (hour === 24 && Number(minutes) > 0))
    return null;
  const localMs =
    midnight + ((hour * 60 + Number(minutes)) * 60 + Math.min(Number(seconds), 59)) * 1000;
  // An offset overrides the name. "GMT+1" is one hour ahead of UTC, and in "EST-0500", the offset
  // only repeats the name.
  const offset =
    zoneHours === undefined
      ? (zoneOffsets.get(name) ?? offsetAt(zonesWithDst.get(name), localMs))
      : parseOffset(groups);
  return offset === null || Math.abs(offset) > maxOffsetMinutes
    ? null
    : new Date(localMs - offset * 60_000);
}

function parseOffset({ sign, zoneHours = "0", zoneMinutes = "0" }: Groups): number | null {
  if (Number(zoneMinutes) > 59) return null;
  return (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === "+" ? 1 : -1);
}

const isZone = (name: string) => zoneOffsets.has(name) || zonesWithDst.has(name);

function offsetAt(timeZone: string | undefined, localMs: number): number | null {
  if (timeZone === undefined) return null;
  const localTime = new Date(localMs).toISOString();
  const instant = instantAt(localTime.slice(0, 10), localTime.slice(11, 16), timeZone);
  return Math.floor((localMs - instant.getTime()) / 60_000);
}
