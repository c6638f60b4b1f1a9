import { addDays, calendarDay, instantAt } from "../../../lib/dates.ts";
import { isRecord } from "../../../lib/is-record.ts";
import { isCanceledText, type SourceMeeting, toWebUrl } from "./source-meeting.ts";

export type LegistarResult =
  | { kind: "meetings"; meetings: SourceMeeting[]; broken: number; isCut: boolean }
  | { kind: "not-legistar" };

/** The documents of a meeting often follow weeks later. */
const daysBack = 62;
const daysAhead = 396;
/** Legistar sends at most 1,000 at once. */
const maxMeetings = 1_000;

/** The URL of the meetings of the last weeks and the next year (OData). */
export function toLegistarUrl(api: string, now: Date, timeZone: string): string {
  const today = calendarDay(now, timeZone);
  const [from, until] = [addDays(today, -daysBack), addDays(today, daysAhead)];
  const query = new URLSearchParams({
    $filter: `EventDate ge datetime'${from}' and EventDate lt datetime'${until}'`,
    $orderby: "EventDate",
    $top: String(maxMeetings),
  });
  return `${api.replace(/\/$/, "")}/events?${query}`;
}

/** Reads the response of Legistar's list of events. */
export function readLegistar(
  body: Uint8Array,
  { sourceId, timeZone }: { sourceId: string; timeZone: string },
): LegistarResult {
  const events = parseJson(body);
  if (!Array.isArray(events)) return { kind: "not-legistar" };
  const meetings = events
    .slice(0, maxMeetings)
    .flatMap((event: unknown) => toMeeting(event, sourceId, timeZone) ?? []);
  const readCount = Math.min(events.length, maxMeetings);
  return {
    kind: "meetings",
    meetings,
    broken: readCount - meetings.length,
    isCut: events.length >= maxMeetings,
  };
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

function toMeeting(event: unknown, sourceId: string, timeZone: string): SourceMeeting | null {
  if (!isRecord(event)) return null;
  const read = (field: string, maxLength = maxNameLength) => {
    const value = event[field];
    return typeof value === "string" ? value.trim().slice(0, maxLength) : "";
  };
  const { EventId: id } = event;
  const day = /^20\d\d-\d\d-\d\d(?=T|$)/.exec(read("EventDate"))?.[0];
  const name = read("EventBodyName");
  if (!Number.isSafeInteger(id) || day === undefined || name === "") return null;
  const time = parseTime(read("EventTime"));
  const startsAt = instantAt(day, time ?? "00:00", timeZone);
  if (Number.isNaN(startsAt.getTime())) return null;
  const [location, text] = [read("EventLocation"), read("EventComment", maxTextLength)];
  const isCanceled =
    /cancel/i.test(`${read("EventAgendaStatusName")} ${read("EventTime")}`) ||
    isCanceledText(text) ||
    isCanceledText(location);
  return {
    id: `${sourceId}-${id}`,
    name,
    text,
    location,
    startsAt,
    endsAt: time === null ? instantAt(addDays(day, 1), "00:00", timeZone) : startsAt,
    allDay: time === null,
    agenda: toWebUrl(read("EventAgendaFile", maxTextLength)),
    minutes: toWebUrl(read("EventMinutesFile", maxTextLength)),
    video: toWebUrl(read("EventVideoPath", maxTextLength)),
    link: toWebUrl(read("EventInSiteURL", maxTextLength)),
    canceled: isCanceled,
  };
}

/** Converts a time such as "6:00 PM". Null if the text is not a time. */
function parseTime(written: string): string | null {
  const [, hour, minute = "00", half] =
    /^(1[0-2]|0?[1-9])(?::([0-5]\d))? ?([AP])\.?M/i.exec(written) ?? [];
  if (hour === undefined) return null;
  const hours = (Number(hour) % 12) + (half?.toUpperCase() === "P" ? 12 : 0);
  return `${String(hours).padStart(2, "0")}:${minute}`;
}
