import { daySeconds, existingDay } from "./local-time.server.ts";

/** From the longest period to the shortest. */
export const frequencies = [
  "YEARLY",
  "MONTHLY",
  "WEEKLY",
  "DAILY",
  "HOURLY",
  "MINUTELY",
  "SECONDLY",
] as const;
type Frequency = (typeof frequencies)[number];

/** The length of a period in seconds, for frequencies shorter than a day. */
export const secondsOfUnit: Partial<Record<Frequency, number>> = {
  HOURLY: 3600,
  MINUTELY: 60,
  SECONDLY: 1,
};

/** A recurrence rule (RFC 5545, 3.3.10). Parts that the rule does not have are null. */
export type Rule = {
  frequency: Frequency;
  interval: number;
  count: number | null;
  /** The latest possible start, in local seconds or, if `isUtc`, in UTC. */
  until: { seconds: number; isUtc: boolean } | null;
  /** 0 is Monday. */
  weekStart: number;
  months: number[] | null;
  weekNumbers: number[] | null;
  yearDays: number[] | null;
  monthDays: number[] | null;
  weekdays: { weekday: number; nth: number | null }[] | null;
  hours: number[] | null;
  minutes: number[] | null;
  seconds: number[] | null;
  positions: number[] | null;
};

/**
 * Long enough for lists of all minutes and seconds, and longer than any rule that a person would
 * write.
 */
const maxRuleLength = 1_000;
const weekdayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/**
 * Returns null if the text is not a rule, or if the rule has an unknown part, because without that
 * part its dates would be wrong.
 */
export function parseRule(text: string): Rule | null {
  if (text.length > maxRuleLength) return null;
  const parts = new Map<string, string>();
  for (const part of text.toUpperCase().split(";")) {
    const [name = "", value = ""] = part.split("=").map((each) => each.trim());
    // Some programs end a rule with a semicolon.
    if (part.trim() !== "" && !name.startsWith("X-")) parts.set(name, value);
  }
  try {
    return buildRule(parts);
  } catch (error) {
    if (error instanceof InvalidRule) return null;
    throw error;
  }
}

class InvalidRule extends Error {}

function buildRule(parts: Map<string, string>): Rule {
  function take<T>(name: string, read: (value: string) => T): T | null {
    const value = parts.get(name);
    parts.delete(name);
    return value === undefined ? null : read(value);
  }
  const oneOf = (allowed: readonly string[]) => (value: string) =>
    allowed.includes(value) ? value : failInvalid();
  const listOf =
    <T>(read: (value: string) => T) =>
    (value: string) =>
      value.split(",").map((each) => read(each.trim()));
  const signedList = (max: number) =>
    listOf((value) => parseInteger(value, /^[+-]?\d{1,3}$/, -max, max));
  const unsignedList = (min: number, max: number) =>
    listOf((value) => parseInteger(value, /^\d{1,2}$/, min, max));
  const parsePositive = (value: string) =>
    parseInteger(value, /^\d{1,15}$/, 1, Number.MAX_SAFE_INTEGER);

  const rule = {
    frequency:
      take("FREQ", (value) => frequencies.find((each) => each === value) ?? failInvalid()) ??
      failInvalid(),
    interval: take("INTERVAL", parsePositive) ?? 1,
    count: take("COUNT", parsePositive),
    until: take("UNTIL", parseUntil),
    weekStart: take("WKST", parseWeekday) ?? 0,
    months: take("BYMONTH", unsignedList(1, 12)),
    weekNumbers: take("BYWEEKNO", signedList(53)),
    yearDays: take("BYYEARDAY", signedList(366)),
    monthDays: take("BYMONTHDAY", signedList(31)),
    weekdays: take("BYDAY", listOf(parseNthWeekday)),
    hours: take("BYHOUR", unsignedList(0, 23)),
    minutes: take("BYMINUTE", unsignedList(0, 59)),
    // 60 is a leap second, which JavaScript does not have.
    seconds: take("BYSECOND", unsignedList(0, 60))?.filter((each) => each < 60) ?? null,
    positions: take("BYSETPOS", signedList(366)),
  };
  // RFC 7529 adds parts for other calendar systems and for moving dates that do not exist. We
  // accept only their default values.
  take("RSCALE", oneOf(["GREGORIAN"]));
  take("SKIP", oneOf(["OMIT"]));
  return parts.size === 0 ? rule : failInvalid();
}

function failInvalid(): never {
  throw new InvalidRule();
}

function parseInteger(value: string, shape: RegExp, min: number, max: number): number {
  const number = Number(value);
  if (!shape.test(value) || number < min || number > max || (min < 0 && number === 0))
    failInvalid();
  return number;
}

function parseWeekday(value: string): number {
  const weekday = weekdayNames.indexOf(value);
  return weekday === -1 ? failInvalid() : weekday;
}

function parseNthWeekday(value: string): { weekday: number; nth: number | null } {
  const nth = value.slice(0, -2);
  return {
    weekday: parseWeekday(value.slice(-2)),
    nth: nth === "" ? null : parseInteger(nth, /^[+-]?\d{1,2}$/, -53, 53),
  };
}

/** A date without a time means the end of that day. */
function parseUntil(value: string): Rule["until"] {
  const [, year, month, date, hours = "23", minutes = "59", seconds = "59", utc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z?))?$/.exec(value) ?? [];
  const day = existingDay(Number(year), Number(month), Number(date));
  if (day === null) return failInvalid();
  const time = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return { seconds: day * daySeconds + time, isUtc: utc === "Z" };
}
