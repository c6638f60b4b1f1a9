import { mixedTextToLines } from "../../../../lib/text/plain-text.server.ts";
import { toVisibleLine } from "../../../../lib/text/plain-text.ts";
import { dayNumber, daySeconds, existingDay, toIsoDay } from "../recurrence/local-time.server.ts";
import {
  type ContentLine,
  parseLine,
  propertyName,
  unescapeText,
  unfoldedLines,
} from "./lines.server.ts";
import type { ZoneDefinition } from "./zones.server.ts";

/** A date or a local time in a calendar. Without a zone, it is in the city's time zone. */
export type CalendarTime = {
  /** In local seconds; see local-time.server.ts. */
  local: number;
  isDay: boolean;
  zone: string | null;
};

/** A VEVENT: a single event, a series with its first date, or an override of one of its dates. */
export type CalendarEntry = {
  uid: string;
  /** For an override: the date of the series that this entry replaces. */
  overrides: CalendarTime | null;
  sequence: number;
  starts: CalendarTime;
  /** In seconds. Null if the event has no end, or has its end time in `ends`. */
  length: number | null;
  /** The end time. The length of the event follows from it only when the time zone is known. */
  ends: CalendarTime | null;
  rules: string[];
  addedDates: CalendarTime[];
  excludedDates: CalendarTime[];
  title: string;
  description: string;
  location: string;
  url: string;
  categories: string[];
  cancelled: boolean;
};

type Parsed =
  | { kind: "entry"; entry: CalendarEntry }
  | { kind: "zone"; name: string; definition: ZoneDefinition }
  /** A line, a time zone or an event that could not be parsed. */
  | { kind: "broken"; reason: BrokenReason; describeEvent: DescribeEvent }
  | { kind: "over"; describeEvent: DescribeEvent };

type BrokenReason = "line" | "time-zone" | "no-start" | "no-title";

/**
 * Returns the title and date of an event for a report. It is a function because a calendar may have
 * thousands of past events, and the report lists only a few.
 */
export type DescribeEvent = () => { title: string; day: string | null };

type Component = { name: keyof typeof decodedProperties; lines: ContentLine[] };

/** The parser skips the lines of all other properties without decoding them. */
const decodedProperties = {
  VEVENT: new Set(
    "UID RECURRENCE-ID SEQUENCE DTSTART DTEND DURATION RRULE RDATE EXDATE SUMMARY DESCRIPTION LOCATION URL CATEGORIES STATUS".split(
      " ",
    ),
  ),
  VTIMEZONE: new Set(["TZID", "TZOFFSETTO", "X-LIC-LOCATION"]),
};

/**
 * Yields the events and time zones of a calendar. The parser reports broken parts and continues
 * after them, and skips other components. Events that were over before `firstDay`, a day number,
 * are reported but not parsed completely.
 */
export function* parseCalendar(body: Uint8Array, firstDay: number): Generator<Parsed> {
  let current: Component | null = null;
  /** A component inside an event, such as an alarm. Its lines do not belong to the event. */
  let innerComponent: string | null = null;
  for (const line of unfoldedLines(body)) {
    const name = propertyName(line);
    if (name === "BEGIN" || name === "END") {
      const component = line
        .slice(name.length + 1)
        .trim()
        .toUpperCase();
      if (name === "END") {
        if (current?.name === component) {
          yield parseComponent(current, firstDay);
          current = null;
        } else if (innerComponent === component) innerComponent = null;
      } else if (component === "VEVENT" || component === "VTIMEZONE") {
        // If an END line is missing, the next BEGIN line ends the component.
        if (current) yield parseComponent(current, firstDay);
        current = { name: component, lines: [] };
        innerComponent = null;
      } else if (current?.name === "VEVENT") innerComponent ??= component;
    } else if (current && innerComponent === null) {
      if (name !== null && !decodedProperties[current.name].has(name)) continue;
      const content = name === null ? null : parseLine(line, name);
      if (content !== null) current.lines.push(content);
      else yield { kind: "broken", reason: "line", describeEvent: describeFrom(current.lines) };
    }
  }
  if (current) yield parseComponent(current, firstDay);
}

const parseComponent = ({ name, lines }: Component, firstDay: number): Parsed =>
  name === "VTIMEZONE" ? parseZone(lines) : parseEntry(lines, firstDay);

function parseZone(lines: ContentLine[]): Parsed {
  const findValue = (name: string) =>
    lines.find((line) => line.name === name)?.value.trim() ?? null;
  const name = findValue("TZID");
  const offsets = lines
    .filter((line) => line.name === "TZOFFSETTO")
    .flatMap(({ value }) => {
      const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)/.exec(value.trim()) ?? [];
      return sign === undefined
        ? []
        : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
    });
  // The last two offsets are the current ones: older rules of the same zone come first.
  const definition = { offsets: offsets.slice(-2), location: findValue("X-LIC-LOCATION") };
  return name === null || offsets.length === 0
    ? {
        kind: "broken",
        reason: "time-zone",
        describeEvent: () => ({ title: name ?? "", day: null }),
      }
    : { kind: "zone", name, definition };
}

/**
 * Describes an event by its title and date. The title may be in a line after the broken one, so the
 * lines are searched only when the description is needed.
 */
const describeFrom =
  (lines: ContentLine[]): DescribeEvent =>
  () => {
    const valueFor = (name: string) => lines.find((line) => line.name === name)?.value ?? "";
    const [, year, month, date] =
      /^(\d{4})(\d\d)(\d\d)/.exec(valueFor("DTSTART").trim().slice(0, 100)) ?? [];
    return {
      title: plainText(valueFor("SUMMARY"), maxTitleLength),
      day: year === undefined ? null : `${year}-${month}-${date}`,
    };
  };

const maxTitleLength = 200;
const maxLocationLength = 300;
const maxDescriptionLength = 4_000;
/** Several RRULEs in one event are rare, and the RFC advises against them (RFC 5545, 3.8.5.3). */
const maxRules = 3;
const maxCategories = 20;
const maxCategoryLength = 100;

function parseEntry(lines: ContentLine[], firstDay: number): Parsed {
  const find = (name: string) => lines.find((line) => line.name === name);
  const findAll = (name: string) => lines.filter((line) => line.name === name);
  const readText = (name: string, max: number) => plainText(find(name)?.value ?? "", max);
  const readTimes = (name: string) => findAll(name).flatMap(parseTimes);

  const [starts] = readTimes("DTSTART");
  if (!starts) return { kind: "broken", reason: "no-start", describeEvent: describeFrom(lines) };
  const recurrenceId = find("RECURRENCE-ID");
  const [ends] = readTimes("DTEND");
  const times = {
    overrides: (recurrenceId && parseTimes(recurrenceId)[0]) ?? null,
    starts,
    length: parseLength(starts, ends, find("DURATION")?.value),
    ends: !starts.isDay && ends && !ends.isDay ? ends : null,
    rules: findAll("RRULE")
      .map(({ value }) => value.trim())
      .filter((rule) => rule !== "")
      .slice(0, maxRules),
    addedDates: readTimes("RDATE"),
  };
  if (isOverBefore(times, firstDay)) return { kind: "over", describeEvent: describeFrom(lines) };
  const title = toVisibleLine(readText("SUMMARY", maxTitleLength));
  if (title === "")
    return { kind: "broken", reason: "no-title", describeEvent: describeFrom(lines) };
  const entry = {
    ...times,
    uid:
      find("UID")?.value.trim().slice(0, 500) ||
      `${title} ${toIsoDay(Math.floor(starts.local / daySeconds))}`,
    sequence: Number.parseInt(find("SEQUENCE")?.value ?? "", 10) || 0,
    excludedDates: readTimes("EXDATE"),
    title,
    description: readText("DESCRIPTION", maxDescriptionLength),
    location: toVisibleLine(readText("LOCATION", maxLocationLength).replaceAll(/\s*\n\s*/g, ", ")),
    url: toWebUrl(find("URL")?.value),
    categories: findAll("CATEGORIES")
      .slice(0, maxCategories)
      .flatMap(({ value }) => value.split(/(?<!\\),/, maxCategories))
      .map((each) => unescapeText(each).trim().slice(0, maxCategoryLength))
      .slice(0, maxCategories),
    cancelled: find("STATUS")?.value.trim().toUpperCase() === "CANCELLED",
  };
  return { kind: "entry", entry };
}

type EntryTimes = Pick<
  CalendarEntry,
  "starts" | "ends" | "length" | "rules" | "addedDates" | "overrides"
>;

/**
 * Whether an event was over before the first day. The check needs no time zones: it allows an extra
 * day, and no time zone is a day or more away from UTC.
 */
function isOverBefore(entry: EntryTimes, firstDay: number): boolean {
  const { starts, ends, length, rules, addedDates, overrides } = entry;
  if (rules.length > 0 || addedDates.length > 0 || overrides) return false;
  const end = ends ? ends.local : starts.local + (length ?? 0);
  return end < (firstDay - 1) * daySeconds;
}

/** Parses the dates and times in a line. Only the start of a period is used. */
function parseTimes({ params, value }: ContentLine): CalendarTime[] {
  return value.split(",").flatMap((each): CalendarTime[] => {
    const [, year = "", month, date, hours, minutes, seconds = "00", utc] =
      /(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z?))?(?:\/.*)?$/s.exec(
        each.trim().slice(0, 200),
      ) ?? [];
    // Some programs write zeros for a missing date.
    if (year < "1900") return [];
    // Some programs write a year far in the future to say that there is no end.
    const day =
      year > "2200"
        ? dayNumber(2200, 12, 31)
        : existingDay(Number(year), Number(month), Number(date));
    if (day === null) return [];
    if (hours === undefined) return [{ local: day * daySeconds, isDay: true, zone: null }];
    if (Number(hours) > 23 || Number(minutes) > 59) return [];
    // JavaScript has no leap seconds.
    const time = Number(hours) * 3600 + Number(minutes) * 60 + Math.min(Number(seconds), 59);
    return [
      {
        local: day * daySeconds + time,
        isDay: false,
        zone: utc ? "UTC" : (params.get("TZID") ?? null),
      },
    ];
  });
}

/** Ten years. Some programs write the year 9999 to say that there is no end. */
export const maxEventSeconds = 3_660 * daySeconds;

function parseLength(
  starts: CalendarTime,
  ends: CalendarTime | undefined,
  duration: string | undefined,
): number | null {
  const match = /^\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(
    duration?.trim().slice(0, 100) ?? "",
  );
  if (match) {
    const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
      .slice(1)
      .map((each) => Number(each ?? 0));
    return Math.min(
      (weeks * 7 + days) * daySeconds + hours * 3600 + minutes * 60 + seconds,
      maxEventSeconds,
    );
  }
  if (!starts.isDay) return null;
  const days = ends ? Math.floor(ends.local / daySeconds) - starts.local / daySeconds : 1;
  return Math.min(Math.max(1, days) * daySeconds, maxEventSeconds);
}

/** Removes HTML, but keeps the line breaks between paragraphs. */
const plainText = (value: string, max: number): string =>
  mixedTextToLines(unescapeText(value)).slice(0, max);

function toWebUrl(value: string | undefined): string {
  const url = URL.parse(value?.trim() ?? "");
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 1_000 ? url.href : "";
}
