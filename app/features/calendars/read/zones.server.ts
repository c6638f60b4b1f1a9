import { instantAt } from "../../../lib/dates.ts";
import { clockOf, type ZoneClock } from "../../../lib/zone-clock.ts";
import { fixedClock } from "../recurrence/local-time.server.ts";

/** A zone that a calendar defines: its offsets in minutes, and its name in the zone database. */
export type ZoneDefinition = { offsets: number[]; location: string | null };

/** Finds the clock of a time zone by its name. A time without one is in the city's zone. */
export type ClockFinder = (tzid: string | null) => ZoneClock;

/** More than any legitimate calendar has. Each takes time to look up. */
const maxZones = 100;
/** The longest name has 32 characters, and some programs put a path before it. */
const maxNameLength = 200;

/** Finds a clock by its zone's name, else by the calendar's definition, else the city's. */
export function createClockFinder(
  cityZone: string,
  definitions: ReadonlyMap<string, ZoneDefinition>,
): ClockFinder {
  const cityClock = clockOf(cityZone);
  const clocks = new Map<string, ZoneClock>();
  return (tzid) => {
    if (tzid === null || tzid.length > maxNameLength) return cityClock;
    const cached = clocks.get(tzid);
    if (cached !== undefined) return cached;
    if (clocks.size === maxZones) return cityClock;
    const zone = findZoneByName(tzid) ?? findZoneByDefinition(definitions.get(tzid), cityZone);
    const clock = zone === null ? cityClock : typeof zone === "string" ? clockOf(zone) : zone;
    clocks.set(tzid, clock);
    return clock;
  };
}

/** Finds a zone by its name, also in Windows or after a path: "/example.org/America/New_York". */
function findZoneByName(tzid: string): string | null {
  const name = tzid.trim();
  const windowsZone =
    windowsZones[name.toLowerCase().replace(/ (summer|daylight) time$/, " standard time")];
  if (windowsZone !== undefined) return windowsZone;
  const tail = /[A-Za-z_]+\/[A-Za-z_/+-]+\d*$/.exec(name)?.[0];
  for (const each of [name, tail, tail?.replace(/^[^/]+\//, "")]) {
    const zone = each === undefined ? null : toCanonicalZone(each);
    if (zone !== null) return zone;
  }
  return null;
}

function toCanonicalZone(name: string): string | null {
  // Intl also accepts offsets such as "+05:00", which are not names of zones.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/**
 * The zone that the definition names as its location, or else one with the same offsets: the city's
 * own or a common one. A single offset becomes a clock that never changes.
 */
function findZoneByDefinition(
  definition: ZoneDefinition | undefined,
  cityZone: string,
): string | ZoneClock | null {
  if (!definition) return null;
  const location = definition.location === null ? null : toCanonicalZone(definition.location);
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
  "Europe/London",
  "Europe/Berlin",
];

/**
 * The names of the United States in Outlook (Unicode CLDR, windowsZones). Calendars define others.
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
};
