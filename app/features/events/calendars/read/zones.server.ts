import { instantAt } from "../../../../lib/dates.ts";
import { clockOf, type ZoneClock } from "../../../../lib/zone-clock.ts";
import { fixedClock } from "../recurrence/local-time.server.ts";

/**
 * A time zone that a calendar defines itself: its offsets from UTC in minutes, and its name in the
 * time zone database if the calendar has one.
 */
export type ZoneDefinition = { offsets: number[]; location: string | null };

/** Finds the clock of a time zone by its name. A time without a zone is in the city's time zone. */
export type ClockFinder = (tzid: string | null) => ZoneClock;

/** Legitimate calendars use fewer zones than this. Each zone takes some time to look up. */
const maxZones = 100;
/** The longest zone name has 32 characters, and some programs put a path before it. */
const maxNameLength = 200;

/**
 * Returns a function that finds the clock of a time zone by its name or, if the name is not known,
 * by the calendar's own definition. Without either, the function returns the city's clock.
 */
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

/**
 * Finds a zone by its name in the time zone database or in Windows. The name may be at the end of a
 * path such as "/example.org/America/New_York".
 */
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
 * Finds the zone that the definition names as its location, or else a zone with the same offsets:
 * the city's own or a common one. A definition with a single offset becomes a clock that never
 * changes.
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
 * The names of the time zones of the United States in Outlook and Exchange (Unicode CLDR,
 * windowsZones). Calendars define other zones themselves.
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
