import { decodeHTMLStrict } from "entities";
import { htmlToLines, normalizeLines } from "../../../lib/text/plain-text.server.ts";
import {
  type ContentLine,
  parseLine,
  propertyName,
  unescapeText,
  unfoldedLines,
} from "./lines.server.ts";
import { dayNumber, daySeconds, existingDay, isoDay } from "./local-time.server.ts";
import type { ZoneDefinition } from "./zones.server.ts";

/**
 * A point in a calendar as it is written there: a day or a local time. Without a zone it is the
 * city's.
 */
export type CalendarTime = {
  /** In seconds, as local-time.server.ts counts them. */
  local: number;
  isDay: boolean;
  zone: string | null;
};

/**
 * An event as its calendar describes it: the first of a series, the only one, or a change to one of
 * a series.
 */
export type CalendarEntry = {
  uid: string;
  /** Which one of the series this entry changes. */
  overrides: { at: CalendarTime; andLater: boolean } | null;
  sequence: number;
  starts: CalendarTime;
  /** In seconds. Null if the calendar names no end, or names it as a point in time. */
  length: number | null;
  /** Where the end was given as a point in time, whose distance only the zone can tell. */
  ends: CalendarTime | null;
  rules: string[];
  added: CalendarTime[];
  excluded: CalendarTime[];
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
  /** A line, a time zone or an event that cannot be understood. */
  | { kind: "broken"; reason: BrokenReason; event: EventLabel }
  /** An event that was over before `firstDay`. */
  | { kind: "over"; event: EventLabel }
  /** There are more lines than we read. */
  | { kind: "cut" };

type BrokenReason = "line" | "time-zone" | "too-many-lines" | "no-start" | "no-title";

/**
 * Read only for the few events that are named to somebody: a calendar may have thousands that are
 * over.
 */
export type EventLabel = () => { title: string; day: string | null };

type Component = { name: keyof typeof decodedProperties; lines: ContentLine[]; tooMany: boolean };

/** A calendar of 24 MB, the most that is fetched, has about this many. */
const maxLines = 1_000_000;
/**
 * More properties than any honest event has. Some programs write a line for each date that is left
 * out.
 */
const maxLinesPerEvent = 2_000;

/** The lines that are decoded. All others are skipped as bytes. */
const decodedProperties = {
  VEVENT: new Set([
    "UID",
    "RECURRENCE-ID",
    "SEQUENCE",
    "DTSTART",
    "DTEND",
    "DURATION",
    "RRULE",
    "RDATE",
    "EXDATE",
    "SUMMARY",
    "DESCRIPTION",
    "LOCATION",
    "URL",
    "CATEGORIES",
    "STATUS",
  ]),
  VTIMEZONE: new Set(["TZID", "TZOFFSETTO", "X-LIC-LOCATION"]),
};

/**
 * Reads events and time zones. What is broken is left out; the rest goes on. Other components are
 * skipped.
 */
export function* parseCalendar(body: Uint8Array, firstDay: number): Generator<Parsed> {
  let current: Component | null = null;
  /** A component inside an event, such as its alarm, whose lines are not the event's own. */
  let inner: string | null = null;
  let count = 0;
  for (const line of unfoldedLines(body)) {
    count += 1;
    if (count > maxLines) {
      yield { kind: "cut" };
      break;
    }
    const boundary = parseBoundary(line);
    if (boundary?.begins) {
      const { component } = boundary;
      if (component === "VEVENT" || component === "VTIMEZONE") {
        // Where an end is missing, the next beginning is one.
        if (current) yield finish(current, firstDay);
        current = { name: component, lines: [], tooMany: false };
        inner = null;
      } else if (current?.name === "VEVENT") inner ??= component;
    } else if (boundary) {
      if (current?.name === boundary.component) {
        yield finish(current, firstDay);
        current = null;
      } else if (inner === boundary.component) inner = null;
    } else if (current && inner === null) {
      const name = propertyName(line);
      if (name !== null && !decodedProperties[current.name].has(name)) continue;
      const content = name === null ? null : parseLine(line, name);
      if (content === null)
        yield { kind: "broken", reason: "line", event: labelFrom(current.lines) };
      else if (current.lines.length < maxLinesPerEvent) current.lines.push(content);
      else current.tooMany = true;
    }
  }
  if (current) yield finish(current, firstDay);
}

const letterB = 0x62;
const letterE = 0x65;

/**
 * Whether a component begins or ends here. Asked of every line, so the first letter decides for
 * most.
 */
function parseBoundary(line: Buffer): { begins: boolean; component: string } | null {
  const first = (line[0] ?? 0) | 0x20;
  if ((first !== letterB && first !== letterE) || line.length > 100) return null;
  const [, word, component] =
    /^(BEGIN|END)\s*:\s*([A-Z0-9-]+)\s*$/.exec(line.toString("latin1").toUpperCase()) ?? [];
  return component === undefined ? null : { begins: word === "BEGIN", component };
}

function finish({ name, lines, tooMany }: Component, firstDay: number): Parsed {
  // Without all of its lines an event would be shown on days that its calendar leaves out.
  if (tooMany) return { kind: "broken", reason: "too-many-lines", event: labelFrom(lines) };
  return name === "VTIMEZONE" ? parseZone(lines) : parseEntry(lines, firstDay);
}

function parseZone(lines: ContentLine[]): Parsed {
  const first = (name: string) => lines.find((line) => line.name === name)?.value.trim() ?? null;
  const name = first("TZID");
  const offsets = lines
    .filter((line) => line.name === "TZOFFSETTO")
    .flatMap(({ value }) => {
      const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)/.exec(value.trim()) ?? [];
      return sign === undefined
        ? []
        : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
    });
  // The last two are those that hold today: older rules of the same zone come first.
  const definition = { offsets: offsets.slice(-2), location: first("X-LIC-LOCATION") };
  return name === null || offsets.length === 0
    ? { kind: "broken", reason: "time-zone", event: () => ({ title: name ?? "", day: null }) }
    : { kind: "zone", name, definition };
}

/**
 * The title may be in a line below the broken one, so the lines are only searched when the name is
 * asked for.
 */
const labelFrom =
  (lines: ContentLine[]): EventLabel =>
  () => {
    const valueFor = (name: string) => lines.find((line) => line.name === name)?.value ?? "";
    const [, year, month, date] =
      /^(\d{4})(\d\d)(\d\d)/.exec(valueFor("DTSTART").trim().slice(0, 100)) ?? [];
    return {
      title: plainText(valueFor("SUMMARY"), maxTitle),
      day: year === undefined ? null : `${year}-${month}-${date}`,
    };
  };

const maxTitle = 200;
const maxLocation = 300;
const maxDescription = 4_000;
const maxTimesPerProperty = 1_000;
/** Several RRULEs in one event are rare and discouraged (RFC 5545, 3.8.5.3). */
const maxRules = 3;
const maxCategories = 20;
const maxCategory = 100;

function parseEntry(lines: ContentLine[], firstDay: number): Parsed {
  const find = (name: string) => lines.find((line) => line.name === name);
  const all = (name: string) => lines.filter((line) => line.name === name);
  const textOf = (name: string, max: number) => plainText(find(name)?.value ?? "", max);
  const stampsOf = (name: string) => {
    const stamps: CalendarTime[] = [];
    for (const line of all(name))
      if (stamps.length < maxTimesPerProperty) stamps.push(...parseTimes(line));
    return stamps.slice(0, maxTimesPerProperty);
  };

  const [starts] = stampsOf("DTSTART");
  if (!starts) return { kind: "broken", reason: "no-start", event: labelFrom(lines) };
  const change = find("RECURRENCE-ID");
  const at = change ? parseTimes(change)[0] : undefined;
  const [ends] = stampsOf("DTEND");
  const times = {
    overrides:
      change && at ? { at, andLater: change.params.get("RANGE") === "THISANDFUTURE" } : null,
    starts,
    length: parseLength(starts, ends, find("DURATION")?.value),
    ends: !starts.isDay && ends && !ends.isDay ? ends : null,
    rules: all("RRULE")
      .map(({ value }) => value.trim())
      .filter((rule) => rule !== "")
      .slice(0, maxRules),
    added: stampsOf("RDATE"),
  };
  if (isOverBefore(times, firstDay)) return { kind: "over", event: labelFrom(lines) };
  const title = textOf("SUMMARY", maxTitle).replaceAll(/\s+/g, " ");
  if (title === "") return { kind: "broken", reason: "no-title", event: labelFrom(lines) };
  const entry = {
    ...times,
    uid:
      find("UID")?.value.trim().slice(0, 500) ||
      `${title} ${isoDay(Math.floor(starts.local / daySeconds))}`,
    sequence: Number.parseInt(find("SEQUENCE")?.value ?? "", 10) || 0,
    excluded: stampsOf("EXDATE"),
    title,
    description: textOf("DESCRIPTION", maxDescription),
    location: textOf("LOCATION", maxLocation).replaceAll(/\s*\n\s*/g, ", "),
    url: toWebUrl(find("URL")?.value),
    categories: all("CATEGORIES")
      .slice(0, maxCategories)
      .flatMap(({ value }) => value.split(/(?<!\\),/, maxCategories))
      .map((each) => unescapeText(each).trim().slice(0, maxCategory))
      .slice(0, maxCategories),
    cancelled: find("STATUS")?.value.trim().toUpperCase() === "CANCELLED",
  };
  return { kind: "entry", entry };
}

/**
 * Can be told without time zones: the day before the window begins is far enough from any of them.
 */
function isOverBefore(
  {
    starts,
    ends,
    length,
    rules,
    added,
    overrides,
  }: Pick<CalendarEntry, "starts" | "ends" | "length" | "rules" | "added" | "overrides">,
  firstDay: number,
): boolean {
  if (rules.length > 0 || added.length > 0 || overrides) return false;
  const end = ends ? ends.local : starts.local + (length ?? 0);
  return end < (firstDay - 1) * daySeconds;
}

/** One line may hold several points, and a point may be the start of a period. */
function parseTimes({ params, value }: ContentLine): CalendarTime[] {
  return value.split(",", maxTimesPerProperty).flatMap((each): CalendarTime[] => {
    const [, year = "", month, date, hours, minutes, seconds = "00", utc] =
      /(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z?))?(?:\/.*)?$/s.exec(
        each.trim().slice(0, 200),
      ) ?? [];
    // Earlier years are zeros of some program, not dates.
    if (year < "1900") return [];
    // Years beyond are how some say that there is no end.
    const day =
      year > "2200"
        ? dayNumber(2200, 12, 31)
        : existingDay(Number(year), Number(month), Number(date));
    if (day === null) return [];
    if (hours === undefined) return [{ local: day * daySeconds, isDay: true, zone: null }];
    if (Number(hours) > 23 || Number(minutes) > 59) return [];
    // A leap second is one that our clocks do not have.
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

/** Ten years. Some write the year 9999 where they mean that there is no end. */
export const maxLength = 3_660 * daySeconds;

function parseLength(
  starts: CalendarTime,
  ends: CalendarTime | undefined,
  duration: string | undefined,
): number | null {
  const span = /^\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(
    duration?.trim().slice(0, 100) ?? "",
  );
  if (span) {
    const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = span
      .slice(1)
      .map((each) => Number(each ?? 0));
    return Math.min(
      (weeks * 7 + days) * daySeconds + hours * 3600 + minutes * 60 + seconds,
      maxLength,
    );
  }
  if (!starts.isDay) return null;
  const days = ends ? Math.floor(ends.local / daySeconds) - starts.local / daySeconds : 1;
  return Math.min(Math.max(1, days) * daySeconds, maxLength);
}

/** HTML needs more characters than the text in it; what is cut off here would hardly be shown. */
const htmlToTextRatio = 4;
/**
 * Some calendars write their texts as HTML, and many write addresses in angle brackets, which are
 * not HTML.
 */
const htmlTag =
  /<\/?(?:[abipsu]|br|div|span|strong|em|li|ul|ol|h[1-6]|font|table|html|img|script)[\s/>]/i;

/** Paragraphs stay, everything else of HTML goes. */
function plainText(value: string, max: number): string {
  const text = unescapeText(truncateOutsideTag(value, max * htmlToTextRatio));
  return (htmlTag.test(text) ? htmlToLines(text) : normalizeLines(decodeHTMLStrict(text))).slice(
    0,
    max,
  );
}

/** Cut to a length, but not within a tag: half a tag would be shown as text. */
function truncateOutsideTag(html: string, length: number): string {
  const cut = html.slice(0, length);
  const tag = cut.lastIndexOf("<");
  return cut.length < html.length && tag > cut.lastIndexOf(">") ? cut.slice(0, tag) : cut;
}

function toWebUrl(value: string | undefined): string {
  const url = URL.parse(value?.trim() ?? "");
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 1_000 ? url.href : "";
}
