import { calendarDay } from "../../../lib/dates.ts";
import { crossOriginHeaders } from "../../../lib/http/cross-origin.server.ts";

/** An event in a calendar that we offer to readers. */
export type CalendarItem = {
  /** Stays the same, so that calendar programs update the event and do not add it twice. */
  uid: string;
  startsAt: Date;
  /**
   * For an all-day event, the midnight after its last day. Equal to `startsAt` if the end is
   * unknown.
   */
  endsAt: Date;
  allDay: boolean;
  title: string;
  description: string;
  location: string;
  url: string;
  categories: string[];
  status: "confirmed" | "tentative" | "cancelled";
  /** How long before the start programs remind readers, as durations: -PT1H. */
  reminders?: string[];
};

type Options = { name: string; timeZone: string; now: Date };

/** Writes a calendar (RFC 5545). Times are in UTC, so programs need not know our time zone. */
export function writeCalendar(items: CalendarItem[], { name, timeZone, now }: Options): string {
  const toDay = (instant: Date) => calendarDay(instant, timeZone).replaceAll("-", "");
  const events = items.flatMap((item) => [
    "BEGIN:VEVENT",
    `UID:${escapeText(item.uid)}`,
    `DTSTAMP:${toUtcStamp(now)}`,
    ...(item.allDay
      ? [`DTSTART;VALUE=DATE:${toDay(item.startsAt)}`, `DTEND;VALUE=DATE:${toDay(item.endsAt)}`]
      : [
          `DTSTART:${toUtcStamp(item.startsAt)}`,
          ...(item.endsAt > item.startsAt ? [`DTEND:${toUtcStamp(item.endsAt)}`] : []),
        ]),
    `SUMMARY:${escapeText(item.title)}`,
    `DESCRIPTION:${escapeText(item.description)}`,
    `LOCATION:${escapeText(item.location)}`,
    `CATEGORIES:${item.categories.map(escapeText).join(",")}`,
    `URL:${item.url}`,
    `STATUS:${item.status.toUpperCase()}`,
    ...(item.reminders ?? []).flatMap((trigger) => [
      "BEGIN:VALARM",
      "ACTION:DISPLAY",
      `DESCRIPTION:${escapeText(item.title)}`,
      `TRIGGER:${trigger}`,
      "END:VALARM",
    ]),
    "END:VEVENT",
  ]);
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Harborline//Events//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `X-WR-CALNAME:${escapeText(name)}`,
    `X-WR-TIMEZONE:${timeZone}`,
    // How often a calendar program should fetch the calendar again (RFC 7986).
    "REFRESH-INTERVAL;VALUE=DURATION:PT4H",
    "X-PUBLISHED-TTL:PT4H",
    ...events,
    "END:VCALENDAR",
  ];
  return `${lines.map(foldLine).join("\r\n")}\r\n`;
}

const toUtcStamp = (instant: Date) => instant.toISOString().replaceAll(/[-:]|\.\d+/g, "");

/** Escapes text (RFC 5545, 3.3.11) and replaces control characters, which are not allowed. */
const escapeText = (text: string) =>
  text
    .replaceAll(/\r\n?/g, "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters
    .replaceAll(/[\u0000-\u0009\u000B-\u001F\u007F]/g, " ")
    .replaceAll(/[\\;,]/g, "\\$&")
    .replaceAll("\n", "\\n");

const maxOctets = 75;

/** Folds a line so that no part is longer than 75 octets, without splitting a character (3.1). */
function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= maxOctets) return line;
  const lines: string[] = [];
  let current = "";
  let size = 0;
  for (const character of line) {
    const octets = Buffer.byteLength(character);
    if (size + octets > maxOctets) {
      lines.push(current);
      current = " ";
      size = 1;
    }
    current += character;
    size += octets;
  }
  return [...lines, current].join("\r\n");
}

/** With a file name, browsers download the calendar. Otherwise programs subscribe to it. */
export function calendarResponse(text: string, fileName?: string): Response {
  return new Response(text, {
    headers: {
      ...crossOriginHeaders,
      "Content-Type": "text/calendar; charset=utf-8",
      ...(fileName
        ? { "Content-Disposition": `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, "")}"` }
        : {}),
    },
  });
}
