import { addDays, calendarDay, instantAt, readTimeOfDay } from "../../../lib/dates.ts";
import { isRecord } from "../../../lib/is-record.ts";
import { mixedTextToLines } from "../../../lib/text/plain-text.server.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import type { SourceEvent } from "./store.server.ts";

export type LegistarMeetings = {
  meetings: SourceEvent[];
  /** Whether the source may have meetings that are not in the list. */
  isCut: boolean;
};

/** The documents of a meeting often follow weeks later. */
const daysBack = 62;
const daysAhead = 396;
/** Legistar sends at most 1,000 at once. */
const maxMeetings = 1_000;

function rangeAt(now: Date, timeZone: string) {
  const today = calendarDay(now, timeZone);
  return { from: addDays(today, -daysBack), until: addDays(today, daysAhead) };
}

/** The URL of the meetings of the last weeks and the next year (OData). */
export function toLegistarUrl(api: string, now: Date, timeZone: string): string {
  const { from, until } = rangeAt(now, timeZone);
  const query = new URLSearchParams({
    $filter: `EventDate ge datetime'${from}' and EventDate lt datetime'${until}'`,
    $orderby: "EventDate",
    $top: String(maxMeetings),
  });
  return `${api.replace(/\/$/, "")}/events?${query}`;
}

export type LegistarOptions = { sourceId: string; now: Date; timeZone: string };

/**
 * Reads Legistar's list of events. Null if the response has no meeting that we asked for and can
 * read, because it is probably something else, such as an error page.
 */
export function readLegistar(
  body: Uint8Array,
  { sourceId, now, timeZone }: LegistarOptions,
): LegistarMeetings | null {
  const events = parseJson(body);
  if (!Array.isArray(events)) return null;
  const range = rangeAt(now, timeZone);
  const read = events
    .slice(0, maxMeetings)
    .map((event: unknown) => toMeeting(event, sourceId, timeZone));
  const meetings = read.flatMap((meeting) => {
    const day = meeting && calendarDay(meeting.startsAt, timeZone);
    return day && day >= range.from && day < range.until ? meeting : [];
  });
  if (events.length > 0 && meetings.length === 0) return null;
  return { meetings, isCut: events.length >= maxMeetings || read.includes(null) };
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

const maxNameLength = 200;
const maxTextLength = 5_000;

function toMeeting(event: unknown, sourceId: string, timeZone: string): SourceEvent | null {
  if (!isRecord(event)) return null;
  const readText = (field: string) => {
    const value = event[field];
    return typeof value === "string"
      ? stripControlCharacters(value).trim().slice(0, maxTextLength)
      : "";
  };
  const read = (field: string) =>
    toSafeLine(mixedTextToLines(readText(field))).slice(0, maxNameLength);
  const { EventId: id } = event;
  const day = /^20\d\d-\d\d-\d\d(?=T|$)/.exec(read("EventDate"))?.[0];
  const title = read("EventBodyName");
  if (!Number.isSafeInteger(id) || day === undefined || !hasVisibleName(title)) return null;
  // A note may follow the time, such as "6:00 PM, hybrid".
  const [written = ""] = /^[\d:]{1,5} ?[AP]\.?M/i.exec(read("EventTime")) ?? [];
  const time = readTimeOfDay(written);
  const startsAt = instantAt(day, time ?? "00:00", timeZone);
  if (Number.isNaN(startsAt.getTime())) return null;
  const [room, description] = [read("EventLocation"), mixedTextToLines(readText("EventComment"))];
  const isCanceledRoom = isCanceledText(room);
  const isCanceled =
    /cancel/i.test(`${read("EventAgendaStatusName")} ${read("EventTime")}`) ||
    isCanceledText(description) ||
    isCanceledRoom;
  return {
    id: `${sourceId}-${id}`,
    series: `${sourceId}-${id}`,
    title,
    description,
    location: isCanceledRoom ? "" : room,
    startsAt,
    endsAt: time === null ? instantAt(addDays(day, 1), "00:00", timeZone) : startsAt,
    allDay: time === null,
    agenda: toWebUrl(readText("EventAgendaFile")),
    minutes: toWebUrl(readText("EventMinutesFile")),
    video: toWebUrl(readText("EventVideoPath")),
    url: toWebUrl(readText("EventInSiteURL")),
    cancelled: isCanceled,
  };
}

/** Readers need something to click on. */
export const hasVisibleName = (title: string): boolean => /[\p{L}\p{N}]/u.test(title);

/** "Canceled: …", "Meeting canceled", "This meeting has been cancelled". */
const canceledStart =
  /^\W*(?:(?:this|the) )?(?:meeting |hearing )?(?:is |was |has been )?cancel(?:l?ed|lation)\b/i;

/**
 * Whether a text begins by saying that the meeting is canceled. Many bodies have no field for it.
 */
export const isCanceledText = (text: string): boolean => canceledStart.test(text);

export const withoutCanceled = (title: string): string =>
  title.replace(/^\W*cancel(?:l?ed|lation)\b\W*/i, "") || title;

const maxUrlLength = 2_000;

/** Returns a URL that a page may link to, or an empty string. */
function toWebUrl(text: string): string {
  const url = text.length > maxUrlLength ? null : URL.parse(text);
  return url && ["http:", "https:"].includes(url.protocol) ? url.href : "";
}
