import { calendarDay } from "../../../lib/dates.ts";

/** An event as other people's calendars are told of it. */
export type CalendarItem = {
  /** The same each time the event is told. */
  uid: string;
  startsAt: Date;
  /** Of whole days, the midnight after the last. The same as the start where no end is known. */
  endsAt: Date;
  allDay: boolean;
  title: string;
  description: string;
  location: string;
  url: string;
  category: string;
  status: "confirmed" | "tentative" | "cancelled";
};

type Options = { name: string; timeZone: string; now: Date };

/**
 * A calendar as a file (RFC 5545). Times are in UTC, so that nobody needs to know our time zone to
 * read them.
 */
export function writeCalendar(items: CalendarItem[], { name, timeZone, now }: Options): string {
  const day = (instant: Date) => calendarDay(instant, timeZone).replaceAll("-", "");
  const events = items.flatMap((item) => [
    "BEGIN:VEVENT",
    `UID:${escapeText(item.uid)}`,
    `DTSTAMP:${toUtcStamp(now)}`,
    ...(item.allDay
      ? [`DTSTART;VALUE=DATE:${day(item.startsAt)}`, `DTEND;VALUE=DATE:${day(item.endsAt)}`]
      : [
          `DTSTART:${toUtcStamp(item.startsAt)}`,
          ...(item.endsAt > item.startsAt ? [`DTEND:${toUtcStamp(item.endsAt)}`] : []),
        ]),
    `SUMMARY:${escapeText(item.title)}`,
    `DESCRIPTION:${escapeText(item.description)}`,
    `LOCATION:${escapeText(item.location)}`,
    `CATEGORIES:${escapeText(item.category)}`,
    `URL:${item.url}`,
    `STATUS:${item.status.toUpperCase()}`,
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
    // How often a subscriber may ask again (RFC 7986).
    "REFRESH-INTERVAL;VALUE=DURATION:PT4H",
    "X-PUBLISHED-TTL:PT4H",
    ...events,
    "END:VCALENDAR",
  ];
  return `${lines.map(foldLine).join("\r\n")}\r\n`;
}

const toUtcStamp = (instant: Date) => instant.toISOString().replaceAll(/[-:]|\.\d+/g, "");

/** RFC 5545, 3.3.11; control characters have no place in a text. */
const escapeText = (text: string) =>
  text
    .replaceAll(/\r\n?/g, "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replaceAll(/[\u0000-\u0009\u000B-\u001F\u007F]/g, " ")
    .replaceAll(/[\\;,]/g, "\\$&")
    .replaceAll("\n", "\\n");

const maxOctets = 75;

/** No line is longer than 75 octets, and no letter is cut in two (3.1). */
function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= maxOctets) return line;
  const lines: string[] = [];
  let current = "";
  let size = 0;
  for (const letter of line) {
    const octets = Buffer.byteLength(letter);
    if (size + octets > maxOctets) {
      lines.push(current);
      current = " ";
      size = 1;
    }
    current += letter;
    size += octets;
  }
  return [...lines, current].join("\r\n");
}
