// Documents that are designed to keep a parser busy, each as large as the server accepts.
import { gzipSync } from "node:zlib";

/** Repeats `unit` as often as it fits into `maxBytes`. */
const repeatToSize = (unit: string, maxBytes: number) =>
  unit.repeat(Math.floor(maxBytes / unit.length));

/**
 * Returns a feed of 5 MB, the largest that the server reads, that repeats an opening tag without
 * ever closing it. The content differs for each turn.
 */
export const createHostileFeed = (turn: number) =>
  `<rss version="2.0" ${repeatToSize("<rss ", 5_200_000)}${turn}`;

/** The content of the feed before it becomes hostile. */
export const harmlessFeed =
  '<?xml version="1.0"?><rss version="2.0"><channel><title>Quiet</title><link>https://quiet.example/</link>' +
  "<item><title>All quiet</title><link>https://quiet.example/1</link></item></channel></rss>";

/**
 * Returns a post whose text never closes a tag. The text has the maximum length that search
 * indexes.
 */
export const createHostilePost = (turn: number) =>
  `---\nmetaTitle: Post ${turn}\nmetaDescription: A hostile text.\ndate: 2026-01-01\n---\n${turn} ${repeatToSize("<a ", 100_000)}\n`;

const createEventCalendar = (...lines: string[]) =>
  `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n${lines.join("\r\n")}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
const since1900 = "DTSTART:19000101T000000";
const tags = repeatToSize("<a", 200_000);

/** A calendar as the server sends it. `gzip` says whether the body is compressed. */
export type Calendar = { name: string; body: Buffer; gzip: boolean };

const createPlainCalendar = (name: string, text: string): Calendar => ({
  name,
  body: Buffer.from(text),
  gzip: false,
});

export const createHostileCalendars = (): Calendar[] => [
  createPlainCalendar(
    "weekly-since-2014",
    createEventCalendar("SUMMARY:x", "DTSTART:20140106T090000", "RRULE:FREQ=WEEKLY;COUNT=520"),
  ),
  createPlainCalendar(
    "daily-since-1900",
    createEventCalendar("SUMMARY:x", since1900, "RRULE:FREQ=DAILY;COUNT=9999"),
  ),
  createPlainCalendar(
    "first-days",
    createEventCalendar(
      "SUMMARY:x",
      "DTSTART:20260501T090000",
      "RRULE:FREQ=DAILY;BYMONTH=5,4;BYMONTHDAY=1;COUNT=4",
    ),
  ),
  createPlainCalendar(
    "three-rules",
    createEventCalendar(
      "SUMMARY:x",
      since1900,
      ...[1, 2, 3].map((n) => `RRULE:FREQ=DAILY;INTERVAL=${n};COUNT=9999`),
    ),
  ),
  createPlainCalendar(
    "tags",
    createEventCalendar(
      "DTSTART:20261201T090000",
      ...["SUMMARY", "DESCRIPTION", "LOCATION"].map((f) => `${f}:${tags}`),
    ),
  ),
  createPlainCalendar(
    "todos",
    `BEGIN:VCALENDAR\r\n${repeatToSize("BEGIN:VTODO\r\nEND:VTODO\r\n", 24_000_000)}END:VCALENDAR\r\n`,
  ),
  { name: "line-breaks", body: gzipSync(Buffer.alloc(25_000_000, "\n")), gzip: true },
];

/**
 * The largest form without files that the server accepts: 256 KB of fields that have only a name.
 */
export const manyFields = repeatToSize("a&", 262_144);

export const boundary = "hostile";
/** Returns a form of the kind that can contain files: 24 MB of empty parts. */
export const createEmptyParts = () =>
  Buffer.from(
    `${repeatToSize(`--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n`, 24_000_000)}--${boundary}--\r\n`,
  );

/** Words that are in nearly every text, so they do not narrow down a search. */
export const stopWords = ["the", "of", "and", "to", "in", "is", "for", "on", "with", "that"];
