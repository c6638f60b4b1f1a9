import { instantAt } from "../../../lib/dates.ts";
import { clockOf, fixedClock, type ZoneClock } from "./local-time.server.ts";

/**
 * What a calendar says of a time zone that it has named itself: its clocks' distance from UTC, in
 * minutes.
 */
export type ZoneDefinition = { offsets: number[]; location: string | null };

/**
 * Finds the clocks that a calendar means by the name of a zone. Without a name a time is local: it
 * is the city's.
 */
export type ClockFinder = (tzid: string | null) => ZoneClock;

/**
 * More zones than a calendar of the whole world has. Each costs a little time, and the names are
 * the calendar's.
 */
export const maxZones = 100;
/**
 * The longest name in the time zone database has 32 letters, and some programs put a path before
 * it.
 */
const maxNameLength = 200;

export function clockFinder(
  cityZone: string,
  definitions: ReadonlyMap<string, ZoneDefinition>,
): ClockFinder {
  const cityClock = clockOf(cityZone);
  const clocks = new Map<string, ZoneClock>();
  return (tzid) => {
    if (tzid === null || tzid.length > maxNameLength) return cityClock;
    const known = clocks.get(tzid);
    if (known !== undefined) return known;
    if (clocks.size === maxZones) return cityClock;
    const zone = zoneByName(tzid) ?? zoneByDefinition(definitions.get(tzid), cityZone);
    const clock = zone === null ? cityClock : typeof zone === "string" ? clockOf(zone) : zone;
    clocks.set(tzid, clock);
    return clock;
  };
}

/**
 * By its name in the time zone database, also at the end of a path such as
 * "/example.org/America/New_York".
 */
function zoneByName(tzid: string): string | null {
  const name = tzid.trim();
  const byWindows =
    windowsZones[name.toLowerCase().replace(/ (summer|daylight) time$/, " standard time")];
  if (byWindows !== undefined) return byWindows;
  const tail = /[A-Za-z_]+\/[A-Za-z_/+-]+\d*$/.exec(name)?.[0];
  for (const each of [name, tail, tail?.replace(/^[^/]+\//, "")]) {
    const zone = each === undefined ? null : canonicalZone(each);
    if (zone !== null) return zone;
  }
  return null;
}

/** As the time zone database writes it; null if it has no such zone. */
function canonicalZone(name: string): string | null {
  // Not a distance such as "+05:00", which is a zone to Intl but not to everyone else.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/**
 * A zone with clocks like these: the city's own if it fits, one of the usual, or clocks that never
 * change.
 */
function zoneByDefinition(
  definition: ZoneDefinition | undefined,
  cityZone: string,
): string | ZoneClock | null {
  if (!definition) return null;
  const location = definition.location === null ? null : canonicalZone(definition.location);
  if (location !== null) return location;
  const [lowest, highest] = [Math.min(...definition.offsets), Math.max(...definition.offsets)];
  const match = [cityZone, ...commonZones].find((zone) => {
    const [winter, summer] = [offsetOn("2026-01-15", zone), offsetOn("2026-07-15", zone)];
    return Math.min(winter, summer) === lowest && Math.max(winter, summer) === highest;
  });
  return match ?? (lowest === highest ? fixedClock(lowest * 60) : null);
}

const offsetOn = (day: string, zone: string) =>
  (Date.parse(`${day}T12:00:00Z`) - instantAt(day, "12:00", zone).getTime()) / 60_000;

const commonZones = [
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Los_Angeles",
  "America/Anchorage",
  "America/Halifax",
  "America/Sao_Paulo",
  "Europe/London",
  "Europe/Berlin",
  "Europe/Athens",
  "Asia/Kolkata",
  "Australia/Sydney",
];

/**
 * What Outlook and Exchange call their zones (Unicode CLDR, windowsZones), as far as calendars of a
 * city need.
 */
const windowsZones: Readonly<Record<string, string>> = {
  "eastern standard time": "America/New_York",
  "us eastern standard time": "America/Indiana/Indianapolis",
  "central standard time": "America/Chicago",
  "mountain standard time": "America/Denver",
  "us mountain standard time": "America/Phoenix",
  "pacific standard time": "America/Los_Angeles",
  "alaskan standard time": "America/Anchorage",
  "hawaiian standard time": "Pacific/Honolulu",
  "atlantic standard time": "America/Halifax",
  "newfoundland standard time": "America/St_Johns",
  "gmt standard time": "Europe/London",
  "greenwich standard time": "Atlantic/Reykjavik",
  "w. europe standard time": "Europe/Berlin",
  "romance standard time": "Europe/Paris",
  "central europe standard time": "Europe/Budapest",
  "central european standard time": "Europe/Warsaw",
  "e. europe standard time": "Europe/Chisinau",
  "gtb standard time": "Europe/Bucharest",
  "fle standard time": "Europe/Kiev",
  "israel standard time": "Asia/Jerusalem",
  "russian standard time": "Europe/Moscow",
  "india standard time": "Asia/Kolkata",
  "china standard time": "Asia/Shanghai",
  "tokyo standard time": "Asia/Tokyo",
  "korea standard time": "Asia/Seoul",
  "aus eastern standard time": "Australia/Sydney",
  "e. south america standard time": "America/Sao_Paulo",
  "sa pacific standard time": "America/Bogota",
  "coordinated universal time": "UTC",
};
