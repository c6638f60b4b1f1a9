// Documents that are designed to keep a parser busy, each as large as the server accepts.
import { gzipSync } from "node:zlib";

/** Repeats `unit` as often as it fits into this many bytes. */
const repeated = (unit: string, bytes: number) => unit.repeat(Math.floor(bytes / unit.length));

/**
 * An opening tag that never closes, repeated to 5 MB, the largest feed that the server reads. It
 * differs for each turn.
 */
export const hostileFeed = (turn: number) =>
  `<rss version="2.0" ${repeated("<rss ", 5_200_000)}${turn}`;

/** The content of the feed before it becomes hostile. */
export const harmlessFeed =
  '<?xml version="1.0"?><rss version="2.0"><channel><title>Quiet</title><link>https://quiet.example/</link>' +
  "<item><title>All quiet</title><link>https://quiet.example/1</link></item></channel></rss>";

/** A post whose text never closes a tag, as long as the longest text that search indexes. */
export const hostilePost = (turn: number) =>
  `---\nmetaTitle: Post ${turn}\nmetaDescription: A hostile text.\ndate: 2026-01-01\n---\n${turn} ${repeated("<a ", 100_000)}\n`;

const event = (...lines: string[]) =>
  `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n${lines.join("\r\n")}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
const since1900 = "DTSTART:19000101T000000";
const tags = repeated("<a", 200_000);

/** A response body. `gzip` if the document is small only when compressed. */
export type Calendar = { name: string; body: Buffer; gzip: boolean };

const plain = (name: string, text: string): Calendar => ({
  name,
  body: Buffer.from(text),
  gzip: false,
});

export const hostileCalendars = (): Calendar[] => [
  plain(
    "weekly-since-2014",
    event("SUMMARY:x", "DTSTART:20140106T090000", "RRULE:FREQ=WEEKLY;COUNT=520"),
  ),
  plain("daily-since-1900", event("SUMMARY:x", since1900, "RRULE:FREQ=DAILY;COUNT=9999")),
  plain(
    "first-days",
    event(
      "SUMMARY:x",
      "DTSTART:20260501T090000",
      "RRULE:FREQ=DAILY;BYMONTH=5,4;BYMONTHDAY=1;COUNT=4",
    ),
  ),
  plain(
    "three-rules",
    event(
      "SUMMARY:x",
      since1900,
      ...[1, 2, 3].map((n) => `RRULE:FREQ=DAILY;INTERVAL=${n};COUNT=9999`),
    ),
  ),
  plain(
    "tags",
    event(
      "DTSTART:20261201T090000",
      ...["SUMMARY", "DESCRIPTION", "LOCATION"].map((f) => `${f}:${tags}`),
    ),
  ),
  plain(
    "todos",
    `BEGIN:VCALENDAR\r\n${repeated("BEGIN:VTODO\r\nEND:VTODO\r\n", 24_000_000)}END:VCALENDAR\r\n`,
  ),
  { name: "line-breaks", body: gzipSync(Buffer.alloc(25_000_000, "\n")), gzip: true },
];

/** The longest form without files: 256 KB of fields that have only a name. */
export const manyFields = repeated("a&", 262_144);

export const boundary = "hostile";
/** A form with files that contains only empty parts: 24 MB of them. */
export const emptyParts = () =>
  Buffer.from(
    `${repeated(`--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n`, 24_000_000)}--${boundary}--\r\n`,
  );

/** Words that are in nearly every text, so that they do not narrow down a search. */
export const stopWords = ["the", "of", "and", "to", "in", "is", "for", "on", "with", "that"];
