/** Names of time zones in feeds that `Date.parse` does not know. */
const zoneOffsets = new Map([
  ["HST", "-1000"],
  ["AKST", "-0900"],
  ["AKDT", "-0800"],
  ["BST", "+0100"],
  ["CET", "+0100"],
  ["CEST", "+0200"],
]);

/** A time that names its zone or its offset from UTC. */
const timeWithZone = /\d:\d\d.*?(?:Z|UTC?|GMT|[ECMP][SD]T|[+-]\d\d:?\d\d)\b/;

/**
 * A date without a time is stored as noon UTC, the same day in all of America and Europe, plus one
 * millisecond, which marks it: dates in feeds are read to the second.
 */
const dayOnlyMs = 12 * 60 * 60 * 1000 + 1;

export const isDayOnly = (instant: Date): boolean =>
  instant.getTime() % (24 * 60 * 60 * 1000) === dayOnlyMs;

/**
 * Parses a date in a common notation of English feeds, in UTC if it names no zone. In 3/4/2026, the
 * month comes first. Null for a date that cannot be read.
 */
export function parseFeedDate(input: string): Date | null {
  const text = input.slice(0, 200).trim().replace(/\s+/g, " ").slice(0, 100);
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000);
  if (/^\d{13}$/.test(text)) return new Date(Number(text));
  if (!/(?<!\d)(?:19[7-9]|20\d)\d(?!\d)/.test(text)) return null;
  const written = text
    .replace(/ (?:at|-) /, " ")
    .replace(/ ?\b([ap])\.m\b\.?/i, " $1m")
    .replace(/\b[A-Z]{3,4}\b/, (name) => zoneOffsets.get(name) ?? name);
  const utc = /\dT\d/.test(written) ? "Z" : " UTC";
  const ms = Date.parse(timeWithZone.test(written) ? written : written + utc);
  if (!(ms > 0)) return null;
  return /\d:\d\d/.test(written)
    ? new Date(Math.floor(ms / 1000) * 1000)
    : new Date(new Date(ms).setUTCHours(0, 0, 0, 0) + dayOnlyMs);
}
