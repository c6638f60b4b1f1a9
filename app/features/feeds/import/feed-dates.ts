import { instantAt } from "../../../lib/dates.ts";

const months = new Map<string, number>();
for (const [index, names] of [
  "january jan janvier janv enero ene januar jän jänner januari gennaio gen janeiro января янв stycznia sty ocak ιαν ιανουαρίου január tammikuuta",
  "february feb février fevrier fév févr febrero februar februari febbraio fevereiro fev февраля фев lutego lut şubat φεβ φεβρουαρίου február helmikuuta",
  "march mar mars marzo märz marz mär mrz maart março marco mrt марта мар marca mart μάρ μαρ μαρτίου március maaliskuuta",
  "april apr avril abril abr aprile avr апреля апр kwietnia kwi nisan απρ απριλίου április huhtikuuta",
  "may mai mayo mei maggio mag maio maj мая май maja mayıs μάι μαι μαΐου május toukokuuta",
  "june jun juin junio juni giugno giu junho июня июн czerwca cze haziran ιουν ιούν ιουνίου június kesäkuuta",
  "july jul juillet juil julio juli luglio lug julho июля июл lipca lip temmuz ιουλ ιούλ ιουλίου július heinäkuuta",
  "august aug août aout agosto ago augustus augusti августа авг sierpnia sie ağustos αυγ αύγ αυγούστου augusztus elokuuta",
  "september sept sep septembre septiembre settembre set setembro сентября сен сент września wrz eylül σεπ σεπτ σεπτεμβρίου szeptember syyskuuta",
  "october oct octobre octubre oktober okt ottobre ott outubro out октября окт października paź ekim οκτ οκτωβρίου október lokakuuta",
  "november nov novembre noviembre novembro ноября ноя нояб listopada lis kasım νοε νοέ νοεμβρίου marraskuuta",
  "december dec décembre decembre déc diciembre dic dezember dez dicembre dezembro desember des декабря дек grudnia gru aralık δεκ δεκεμβρίου joulukuuta",
].entries())
  for (const name of names.split(" ")) months.set(name, index);

/** Abbreviated weekdays in English, German, French and Spanish. Sunday is 0. */
const weekdays = new Map<string, number>();
for (const [index, names] of [
  "sun so dim dom",
  "mon mo lun",
  "tue di mar",
  "wed mi mer mié",
  "thu do jeu jue",
  "fri fr ven vie",
  "sat sa sam sáb",
].entries())
  for (const name of names.split(" ")) weekdays.set(name, index);

/**
 * How many minutes each time zone is ahead of UTC. Some of the names are in RFC 822, and the others
 * occur in feeds.
 */
const zoneOffsets = new Map<string, number>();
for (const [offset, names] of [
  [-600, "hst"],
  [-540, "akst hdt"],
  [-480, "pst akdt"],
  [-420, "mst pdt"],
  [-360, "cst mdt"],
  [-300, "est cdt cot pet"],
  [-240, "edt ast clt vet"],
  [-210, "nst"],
  [-180, "adt brt art clst uyt"],
  [-150, "ndt"],
  [-120, "brst"],
  [0, "z ut utc gmt wet"],
  [60, "bst cet met mez wat west"],
  [120, "cest mest mesz eet cat sast"],
  [180, "eest idt eat msk trt"],
  [240, "msd gst"],
  [300, "pkt"],
  [330, "ist"],
  [420, "ict wib"],
  [480, "sgt hkt pht awst"],
  [540, "jst kst"],
  [570, "acst"],
  [600, "aest chst"],
  [630, "acdt"],
  [660, "aedt"],
  [720, "nzst"],
  [780, "nzdt"],
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

// The following strings are parts of the regular expressions below.
const weekday = String.raw`(?:(?<weekday>\p{L}{2,12})\.?(?:,\s?|\s))?`;
const monthName = String.raw`(?<month>\p{L}{3,15})\.?`;
/** A year of two or four digits. */
const year = String.raw`(?<year>\d{4}|\d{2})(?!\d)`;
const meridiem = String.raw`(?<amPm>[ap]\.?\s?m(?![a-z])\.?)`;
const time = String.raw`(?<hours>\d{1,2})(?:[:.h](?<minutes>\d{2})(?:[:.](?<seconds>\d{2})(?:[.,]\d+)?)?)?\s?${meridiem}?(?:\s?uhr|\s?hrs)?`;
/** A zone name, an offset, both (GMT+1), or an offset followed by its name (+0100 CET). */
const zone = String.raw`\s?(?:\(?(?<zone>[a-z]{2,20}(?:/[a-z][\w+-]{1,30})+|[a-z]{1,5})(?![a-z])\)?)?\s?(?:(?<sign>[+\u2212-])(?<zoneHours>\d{1,2})(?::?(?<zoneMinutes>\d{2}))?(?!\d)(?:\s?\(?[a-z]{1,5}(?![a-z])\)?)?)?`;
const timeAndZone = String.raw`(?:(?:,?\s[-\u2013|@]\s|,?\s(?:at|um|kl\.?|klo|à)\s|[\st,:]{1,2})${time})?${zone}`;
const toPattern = (source: string) => new RegExp(`^${source}`, "iu");

/** The patterns are tried in this order, on at most 100 characters. */
const patterns = [
  // 2026-11-14T10:00:00Z, 2026/11/14 10:00, Sat, 2026-Nov-14
  toPattern(
    String.raw`${weekday}(?<year>\d{4})(?<between>[-/.\s])(?:0?(?<monthNumber>\d{1,2})|${monthName})\k<between>(?<day>\d{1,2})(?!\d)${timeAndZone}`,
  ),
  // Sat, 14 Nov 2026 10:00:00 EST, 14-Nov-26, 14th of November, 2026
  toPattern(
    String.raw`${weekday}(?<day>\d{1,2})(?:st|nd|rd|th|er|º|ª)?[\s/.,-]{0,2}(?:de\s|of\s)?${monthName},?[\s/-]{0,2}(?:de\s|del\s)?${year}${timeAndZone}`,
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
  // Nov. 2026
  toPattern(String.raw`${monthName},?\s(?<year>\d{4})$`),
  // 2026-11 and 2026, as W3C's profile of ISO 8601 allows
  toPattern(String.raw`(?<year>\d{4})(?:-(?<monthNumber>\d{2}))?$`),
];

/** Converts other notations to one that a pattern matches. */
const rewrites: [RegExp, string][] = [
  [/^(\d{4})\s?[년年]\s?(\d{1,2})\s?[월月]\s?(\d{1,2})\s?[일日]\s?/u, "$1-$2-$3 "],
  [/(?:오전|上午|午前)\s?(\d{1,2}:\d{2}(?::\d{2})?)/u, "$1 am"],
  [/(?:오후|下午|午後)\s?(\d{1,2}:\d{2}(?::\d{2})?)/u, "$1 pm"],
  [/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3"],
  [/^(\d{4})(\d{2})(\d{2})[t\s]?(\d{2}):?(\d{2})(?!\d)/i, "$1-$2-$3 $4:$5"],
  [/^(\d{4})(\d{2})(\d{2})[t\s]?(\d{2}):?(\d{2}):?(\d{2})(?!\d)/i, "$1-$2-$3 $4:$5:$6"],
  [/^(\d{4}-\d{2}-\d{2})t(\d{2})(\d{2})(?!\d)/i, "$1 $2:$3"],
  [/^(\d{4}-\d{2}-\d{2})t(\d{2})(\d{2})(\d{2})(?!\d)/i, "$1 $2:$3:$4"],
  [/\b(?:12\s)?noon\b/i, "12 pm"],
  [/\b(?:12\s)?midnight\b/i, "12 am"],
];

/**
 * A date without a time is stored as noon UTC, which is the same day in all of America and Europe,
 * plus one millisecond. Dates in feeds are read to the second, so the millisecond marks that the
 * time of day is unknown.
 */
const dayOnlyMs = 12 * 60 * 60 * 1000 + 1;

export const isDayOnly = (instant: Date): boolean =>
  instant.getTime() % (24 * 60 * 60 * 1000) === dayOnlyMs;

/**
 * Parses a date in any notation that feeds use. Returns null for an unreadable or ambiguous date,
 * because a guess may be wrong. A date without a zone is in UTC.
 */
export function parseFeedDate(input: string): Date | null {
  const text = rewrites.reduce(
    (rewritten, [notation, replacement]) => rewritten.replace(notation, replacement),
    input.slice(0, 200).trim().replace(/\s+/g, " ").slice(0, 100),
  );
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000);
  if (/^\d{13}$/.test(text)) return new Date(Number(text));
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (!match?.groups) continue;
    // Text that follows the match may be a time in an unknown notation. Only a zone name in
    // brackets may follow, because it repeats the offset.
    if (/^\s*[^\s([]/.test(text.slice(match[0].length))) return null;
    const day = toDay(match.groups);
    return day && toInstant(day, match.groups);
  }
  return null;
}

type Groups = Record<string, string | undefined>;
type Day = { year: number; month: number; day: number };

function toDay({
  weekday: name,
  year = "",
  month,
  monthNumber,
  day = "1",
  ...rest
}: Groups): Day | null {
  const { first, second, between } = rest;
  const yearNumber = parseYear(year);
  if (first === undefined || second === undefined) {
    const index = month === undefined ? Number(monthNumber ?? 1) - 1 : parseMonth(month);
    return toValidDay(yearNumber, index, Number(day));
  }
  const dayFirst = toValidDay(yearNumber, Number(second) - 1, Number(first));
  const monthFirst = toValidDay(yearNumber, Number(first) - 1, Number(second));
  if (!dayFirst || !monthFirst || first === second) return dayFirst ?? monthFirst;
  // Either number could be the month. Dates with dots always begin with the day. For others, only
  // the weekday can decide.
  if (between === ".") return dayFirst;
  const expected = parseWeekday(name ?? "");
  const matches = [dayFirst, monthFirst].filter((each) => getWeekday(each) === expected);
  return matches.length === 1 ? (matches[0] ?? null) : null;
}

const parseWeekday = (name: string) =>
  weekdays.get(name.toLowerCase()) ?? weekdays.get(name.toLowerCase().slice(0, 3));
const getWeekday = ({ year: y, month, day }: Day) => new Date(Date.UTC(y, month, day)).getUTCDay();
const parseMonth = (name: string) => months.get(name.toLowerCase()) ?? -1;
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
  // An offset overrides the name. "GMT+1" is one hour ahead of UTC, and in "EST-0500" the offset
  // only repeats the name.
  const offset =
    zoneHours === undefined
      ? (zoneOffsets.get(name) ?? offsetAt(name, localMs))
      : parseOffset(groups);
  return offset === null || Math.abs(offset) > maxOffsetMinutes
    ? null
    : new Date(localMs - offset * 60_000);
}

function parseOffset({ sign, zoneHours = "0", zoneMinutes = "0" }: Groups): number | null {
  if (Number(zoneMinutes) > 59) return null;
  return (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === "+" ? 1 : -1);
}

const isZone = (name: string) => zoneOffsets.has(name) || findTimeZone(name) !== null;

/** Returns the IANA time zone for a name such as ET, Europe/Brussels or Etc/GMT, or null. */
function findTimeZone(name: string): string | null {
  const known = zonesWithDst.get(name);
  if (known !== undefined || !name.includes("/")) return known ?? null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/**
 * Returns how many minutes a time zone is ahead of UTC at a local time, or null for an unknown
 * zone.
 */
function offsetAt(name: string, localMs: number): number | null {
  const timeZone = findTimeZone(name);
  if (timeZone === null) return null;
  const localTime = new Date(localMs).toISOString();
  const instant = instantAt(localTime.slice(0, 10), localTime.slice(11, 16), timeZone);
  return Math.floor((localMs - instant.getTime()) / 60_000);
}
