import { addDays } from "../../lib/dates.ts";
import { type ContentLine, unescapeText } from "./lines.server.ts";
import type { ZoneDefinition } from "./zones.server.ts";

/** A point in a calendar as it is written there. Without a time it is a whole day; without a zone it is local. */
export type Stamp = { day: string; time: string | null; zone: string | null };

/** An event as its calendar describes it: the first of a series, the only one, or a change to one of a series. */
export type CalendarEntry = {
  uid: string;
  /** Which one of the series this entry changes. */
  changes: { at: Stamp; andLater: boolean } | null;
  sequence: number;
  starts: Stamp;
  /** In minutes; of whole days, so many times 1,440. Null if the calendar names no end. */
  minutes: number | null;
  /** Where the end was given as a point in time, whose distance only the zone can tell. */
  ends: Stamp | null;
  rules: string[];
  added: Stamp[];
  left: Stamp[];
  title: string;
  description: string;
  location: string;
  url: string;
  categories: string[];
  cancelled: boolean;
};

export type Parsed =
  | { kind: "entry"; entry: CalendarEntry }
  | { kind: "zone"; name: string; definition: ZoneDefinition }
  /** A line, or an event without a start, that cannot be understood. */
  | { kind: "broken" };

type Component = { name: string; lines: ContentLine[] };

/** More properties than any honest event has. */
const maxLinesPerEvent = 500;

/** Reads events and time zones off the lines. What is broken is left out; the rest goes on. */
export function* parseCalendar(lines: Iterable<ContentLine | null>): Generator<Parsed> {
  let current: Component | null = null;
  /** Parts of a part, such as the alarm of an event, whose lines are not the event's own. */
  let inner: string[] = [];
  for (const line of lines) {
    if (line === null) {
      yield { kind: "broken" };
      continue;
    }
    const part = line.value.trim().toUpperCase();
    if (line.name === "BEGIN") {
      if (part === "VEVENT" || part === "VTIMEZONE") {
        // Where an end is missing, the next beginning is one.
        if (current) yield finish(current);
        current = { name: part, lines: [] };
        inner = [];
      } else if (current) inner.push(part);
    } else if (line.name === "END") {
      if (current?.name === part) {
        yield finish(current);
        current = null;
      } else if (inner.at(-1) === part) inner.pop();
    } else if (current && (inner.length === 0 || current.name === "VTIMEZONE")) {
      if (current.lines.length < maxLinesPerEvent) current.lines.push(line);
    }
  }
  if (current) yield finish(current);
}

function finish({ name, lines }: Component): Parsed {
  if (name === "VTIMEZONE") return zoneOf(lines);
  const entry = entryOf(lines);
  return entry ? { kind: "entry", entry } : { kind: "broken" };
}

function zoneOf(lines: ContentLine[]): Parsed {
  const first = (name: string) => lines.find((line) => line.name === name)?.value.trim() ?? null;
  const name = first("TZID");
  const offsets = lines
    .filter((line) => line.name === "TZOFFSETTO")
    .flatMap(({ value }) => {
      const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)/.exec(value.trim()) ?? [];
      return sign === undefined ? [] : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
    });
  // The last two are those that hold today: older rules of the same zone come first.
  const definition = { offsets: offsets.slice(-2), location: first("X-LIC-LOCATION") };
  return name === null || offsets.length === 0 ? { kind: "broken" } : { kind: "zone", name, definition };
}

const maxTitle = 200;
const maxLocation = 300;
const maxDescription = 4_000;
const maxPoints = 1_000;

function entryOf(lines: ContentLine[]): CalendarEntry | null {
  const find = (name: string) => lines.find((line) => line.name === name);
  const all = (name: string) => lines.filter((line) => line.name === name);
  const textOf = (name: string, max: number) =>
    plainText(unescapeText(find(name)?.value ?? "")).slice(0, max);
  const stampsOf = (name: string) => all(name).flatMap(stampsIn).slice(0, maxPoints);

  const [starts] = stampsOf("DTSTART");
  const title = textOf("SUMMARY", maxTitle).replaceAll(/\s+/g, " ");
  if (!starts || title === "") return null;
  const change = find("RECURRENCE-ID");
  const at = change ? stampsIn(change)[0] : undefined;
  const [ends] = stampsOf("DTEND");
  return {
    uid: find("UID")?.value.trim().slice(0, 500) || `${title} ${starts.day}`,
    changes: change && at ? { at, andLater: change.params.get("RANGE") === "THISANDFUTURE" } : null,
    sequence: Number.parseInt(find("SEQUENCE")?.value ?? "", 10) || 0,
    starts,
    minutes: lengthOf(starts, ends, find("DURATION")?.value),
    ends: starts.time !== null && ends?.time != null ? ends : null,
    rules: all("RRULE")
      .map(({ value }) => value.trim())
      .filter((rule) => rule !== ""),
    added: stampsOf("RDATE"),
    left: stampsOf("EXDATE"),
    title,
    description: textOf("DESCRIPTION", maxDescription),
    location: textOf("LOCATION", maxLocation).replaceAll(/\s*\n\s*/g, ", "),
    url: webAddressOf(find("URL")?.value),
    categories: all("CATEGORIES").flatMap(({ value }) =>
      value.split(/(?<!\\),/).map((each) => unescapeText(each).trim()),
    ),
    cancelled: find("STATUS")?.value.trim().toUpperCase() === "CANCELLED",
  };
}

/** One line may hold several points, and a point may be the start of a period. */
function stampsIn({ params, value }: ContentLine): Stamp[] {
  return value.split(",").flatMap((each): Stamp[] => {
    const [, year, month, date, hours, minutes, utc] =
      /(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(?:\d\d)?(Z?))?(?:\/.*)?\s*$/.exec(each) ?? [];
    // Years beyond are how some say that there is no end.
    const day = year !== undefined && year > "2200" ? "2200-12-31" : `${year}-${month}-${date}`;
    // Earlier years are zeros of some program, not dates.
    if (year === undefined || year < "1900" || Number.isNaN(Date.parse(day))) return [];
    if (hours === undefined) return [{ day, time: null, zone: null }];
    if (Number(hours) > 23 || Number(minutes) > 59) return [];
    return [{ day, time: `${hours}:${minutes}`, zone: utc ? "UTC" : (params.get("TZID") ?? null) }];
  });
}

const dayMinutes = 24 * 60;
/** Ten years. Some write the year 9999 where they mean that there is no end. */
export const maxMinutes = 3_660 * dayMinutes;

function lengthOf(starts: Stamp, ends: Stamp | undefined, duration: string | undefined): number | null {
  const span = /^\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?)?$/i.exec(
    duration?.trim() ?? "",
  );
  if (span) {
    const [weeks = 0, days = 0, hours = 0, minutes = 0] = span.slice(1).map((each) => Number(each ?? 0));
    return Math.min((weeks * 7 + days) * dayMinutes + hours * 60 + minutes, maxMinutes);
  }
  if (starts.time !== null) return null;
  const days = ends ? Math.round((Date.parse(ends.day) - Date.parse(starts.day)) / 86_400_000) : 1;
  return Math.min(Math.max(1, days) * dayMinutes, maxMinutes);
}

/** Some calendars write their texts as HTML. Paragraphs stay, everything else of it goes. */
function plainText(text: string): string {
  return text
    .replaceAll(/<(?:br|\/p|\/div|\/li)\b[^>]*>/gi, "\n")
    .replaceAll(/<\/?[a-z][^>]*>/gi, "")
    .replaceAll(/&(amp|lt|gt|quot|nbsp|#39|apos);/g, (_, name: string) => entities[name] ?? "")
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
  "#39": "'",
  apos: "'",
};

function webAddressOf(value: string | undefined): string {
  const url = URL.parse(value?.trim() ?? "");
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 1_000 ? url.href : "";
}

/** The last day of a stamp that is so many days long. */
export const lastDay = (day: string, minutes: number) =>
  addDays(day, Math.max(0, Math.ceil(minutes / dayMinutes) - 1));
