import { instantAt } from "../../lib/dates.ts";

/** What a calendar says of a time zone that it has named itself: its clocks' distance from UTC, in minutes. */
export type ZoneDefinition = { offsets: number[]; location: string | null };

/** Finds the zone that a calendar means by a name. Without a name a time is local: it is the city's. */
export type ZoneFinder = (tzid: string | null) => string;

export function zoneFinder(cityZone: string, definitions: ReadonlyMap<string, ZoneDefinition>): ZoneFinder {
  const found = new Map<string, string>();
  return (tzid) => {
    if (tzid === null) return cityZone;
    const known = found.get(tzid);
    if (known !== undefined) return known;
    const zone = zoneByName(tzid) ?? zoneByDefinition(definitions.get(tzid), cityZone) ?? cityZone;
    found.set(tzid, zone);
    return zone;
  };
}

/** By its name in the time zone database, also at the end of a path such as "/example.org/America/New_York". */
function zoneByName(tzid: string): string | null {
  const name = tzid.trim();
  const byWindows = windowsZones[name.toLowerCase().replace(/ (summer|daylight) time$/, " standard time")];
  if (byWindows !== undefined) return byWindows;
  const tail = /[A-Za-z_]+\/[A-Za-z_/+-]+\d*$/.exec(name)?.[0];
  return (
    [name, tail, tail?.replace(/^[^/]+\//, "")].find((each) => each !== undefined && isZone(each)) ?? null
  );
}

function isZone(name: string): boolean {
  // Not a distance such as "+05:00", which is a zone to Intl but not to everyone else.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A zone with clocks like these: the city's own if it fits, one of the usual, or a fixed distance from UTC. */
function zoneByDefinition(definition: ZoneDefinition | undefined, cityZone: string): string | null {
  if (!definition) return null;
  if (definition.location !== null && isZone(definition.location)) return definition.location;
  const [lowest, highest] = [Math.min(...definition.offsets), Math.max(...definition.offsets)];
  const twin = [cityZone, ...usualZones].find((zone) => {
    const [winter, summer] = [offsetOn("2026-01-15", zone), offsetOn("2026-07-15", zone)];
    return Math.min(winter, summer) === lowest && Math.max(winter, summer) === highest;
  });
  if (twin !== undefined) return twin;
  // The signs of these names are the wrong way round: Etc/GMT+5 is five hours behind.
  return lowest === highest && lowest % 60 === 0
    ? `Etc/GMT${lowest > 0 ? "-" : "+"}${Math.abs(lowest / 60)}`
    : null;
}

const offsetOn = (day: string, zone: string) =>
  (Date.parse(`${day}T12:00:00Z`) - instantAt(day, "12:00", zone).getTime()) / 60_000;

const usualZones = [
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

/** What Outlook and Exchange call their zones (Unicode CLDR, windowsZones), as far as calendars of a city need. */
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
