import { instantAt } from "../../lib/dates.ts";

const months = new Map<string, number>();
for (const [index, names] of [
  "january jan janvier enero ene januar januari gennaio gen janeiro",
  "february feb février fevrier fév febrero februar februari febbraio fevereiro fev",
  "march mar mars marzo märz marz maart março marco mrt",
  "april apr avril abril abr aprile avr",
  "may mai mayo mei maggio mag maio",
  "june jun juin junio juni giugno giu junho",
  "july jul juillet julio juli luglio lug julho juil",
  "august aug août aout agosto ago augustus",
  "september sept sep septembre septiembre settembre set setembro",
  "october oct octobre octubre oktober okt ottobre ott outubro out",
  "november nov novembre noviembre novembro",
  "december dec décembre decembre déc diciembre dic dezember dez dicembre dezembro",
].entries())
  for (const name of names.split(" ")) months.set(name, index);

/** Minutes east of Greenwich. RFC 822's names, and those that feeds use beside them. */
const zones: Record<string, number> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0, wet: 0 },
  ...{ est: -300, edt: -240, cst: -360, cdt: -300, mst: -420, mdt: -360, pst: -480, pdt: -420 },
  ...{ akst: -540, akdt: -480, hst: -600, ast: -240, adt: -180 },
  ...{ bst: 60, ist: 330, cet: 60, cest: 120, met: 60, eet: 120, eest: 180, west: 60, msk: 180, jst: 540 },
  ...{ kst: 540, aest: 600, aedt: 660, nzst: 720, nzdt: 780 },
};

/** Names that mean one thing in winter and another in summer. */
const places: Record<string, string> = {
  et: "America/New_York",
  ct: "America/Chicago",
  mt: "America/Denver",
  pt: "America/Los_Angeles",
};
const widestOffset = 14 * 60;

const time = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([ap]\.?m\.?)?`;
const zone = String.raw`\s*(?:\(?([a-z]{1,5})\)?)?\s*(?:([+-])(\d{1,2}):?(\d{2})?)?`;
const weekday = String.raw`(?:[\p{L}.]+,?\s+)?`;
const patterns: { pattern: RegExp; order: string }[] = [
  // 2026-11-14T10:00:00Z, 2026-11-14 10:00, 20261114T100000
  {
    pattern: new RegExp(
      String.raw`^(\d{4})-?(\d{2})-?(\d{2})(?:[t\s]+(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?()${zone})?`,
      "iu",
    ),
    order: "ymd",
  },
  // Sat, 14 Nov 2026 10:00:00 EST, and 14-Nov-26
  {
    pattern: new RegExp(
      String.raw`^${weekday}(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]+(?:de\s+)?([\p{L}]{3,})\.?,?[\s-]+(?:de\s+)?(\d{4}|\d{2})(?:,?\s+(?:at\s+)?${time}${zone})?`,
      "iu",
    ),
    order: "dmy",
  },
  // Sat Nov 14 10:00:00 EST 2026
  {
    pattern: new RegExp(
      String.raw`^${weekday}([\p{L}]{3,})\.?\s+(\d{1,2})\s+${time}${zone}\s+(\d{4})$`,
      "iu",
    ),
    order: "md…y",
  },
  // November 14, 2026 3:04 PM
  {
    pattern: new RegExp(
      String.raw`^${weekday}([\p{L}]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?:,?\s+(?:at\s+)?${time}${zone})?`,
      "iu",
    ),
    order: "mdy",
  },
  // 11/14/2026 3:04 PM, 14.11.2026 15:04
  {
    pattern: new RegExp(String.raw`^(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?:,?\s+${time}${zone})?`, "iu"),
    order: "??y",
  },
];

/**
 * A day without a time is stored as its noon in Greenwich, which is the same day in all of America and Europe, plus one
 * millisecond. Written dates are read to the second, so the millisecond says that the time of day is not known.
 */
const dayOnlyMs = 12 * 60 * 60 * 1000 + 1;

export const isDayOnly = (instant: Date): boolean => instant.getTime() % (24 * 60 * 60 * 1000) === dayOnlyMs;

/** The instant a feed means, or null: a date that cannot be read is never made up. */
export function feedDate(written: string): Date | null {
  const text = written.trim().replace(/\s+/g, " ").slice(0, 100);
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000);
  if (/^\d{13}$/.test(text)) return new Date(Number(text));
  for (const { pattern, order } of patterns) {
    const match = pattern.exec(text);
    if (!match) continue;
    // Something more is said, perhaps a time, that we do not understand. A zone's name in brackets only repeats it.
    if (/^\s*[^\s([]/.test(text.slice(match[0].length))) return null;
    const [, ...parts] = match;
    if (order === "md…y") parts.splice(2, 0, parts.pop() ?? "");
    const [first = "", second = "", third = "", ...clock] = parts;
    const day = dayOf(order, first, second, third);
    return day && instant(day, clock);
  }
  return null;
}

type Day = { year: number; month: number; day: number };

function dayOf(order: string, first: string, second: string, third: string): Day | null {
  switch (order) {
    case "ymd":
      return checked(Number(first), Number(second) - 1, Number(third));
    case "dmy":
      return checked(fullYear(third), monthOf(second), Number(first));
    case "mdy":
    case "md…y":
      return checked(Number(third), monthOf(first), Number(second));
    default: {
      // Which is the month, if both could be? Nobody can tell.
      const [a, b] = [Number(first), Number(second)];
      if (a <= 12 && b <= 12 && a !== b) return null;
      return a > 12 ? checked(Number(third), b - 1, a) : checked(Number(third), a - 1, b);
    }
  }
}

const monthOf = (name: string) => months.get(name.toLowerCase()) ?? -1;
const fullYear = (year: string) =>
  year.length === 2 ? Number(year) + (Number(year) < 70 ? 2000 : 1900) : Number(year);

function checked(year: number, month: number, day: number): Day | null {
  const date = new Date(Date.UTC(year, month, day));
  return year >= 1970 && date.getUTCMonth() === month && date.getUTCDate() === day
    ? { year, month, day }
    : null;
}

function instant({ year, month, day: date }: Day, clock: (string | undefined)[]): Date | null {
  const [hours, minutes, seconds = "0", half, zoneName, sign, zoneHours, zoneMinutes = "0"] = clock;
  if (hours === undefined || minutes === undefined) return new Date(Date.UTC(year, month, date) + dayOnlyMs);
  const isNoonHour = Number(hours) === 12;
  const hour = half ? (Number(hours) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hours);
  if ((half && (Number(hours) > 12 || (!isNoonHour && Number(hours) === 0))) || hour > 24) return null;
  if (Number(minutes) > 59 || Number(seconds) > 60 || (hour === 24 && Number(minutes) > 0)) return null;
  const name = zoneName?.toLowerCase() ?? "utc";
  const place = places[name];
  if (place && zoneHours === undefined) {
    const day = new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10);
    return instantAt(day, `${String(hour % 24).padStart(2, "0")}:${minutes}`, place);
  }
  const numbered = (Number(zoneHours ?? 0) * 60 + Number(zoneMinutes)) * (sign === "-" ? -1 : 1);
  // "GMT+1" is an hour east; "EST-0500" says the same thing twice.
  const offset = zoneHours === undefined ? zones[name] : numbered;
  if (offset === undefined || Math.abs(offset) > widestOffset) return null;
  return new Date(Date.UTC(year, month, date, hour, Number(minutes) - offset, Math.min(Number(seconds), 59)));
}
