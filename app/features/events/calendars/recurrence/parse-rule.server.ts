import { daySeconds, existingDay } from "./local-time.server.ts";

const frequencies = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY"] as const;

/** A recurrence rule (RFC 5545, 3.3.10). Parts that the rule does not have are null. */
export type Rule = {
  frequency: (typeof frequencies)[number];
  interval: number;
  count: number | null;
  /** The latest possible start, in local seconds or, if `isUtc`, in UTC. */
  until: { seconds: number; isUtc: boolean } | null;
  /** 0 is Monday. */
  weekStart: number;
  months: number[] | null;
  monthDays: number[] | null;
  weekdays: { weekday: number; nth: number | null }[] | null;
  hour: number | null;
  minute: number | null;
  second: number | null;
  positions: number[] | null;
};

/** Longer than any rule that a person would write. */
const maxRuleLength = 1_000;
const weekdayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/**
 * Null for a rule that cannot be used. A part that we do not know, such as BYWEEKNO, would give wrong
 * dates. Events that repeat several times per day are not supported: a list of events would consist
 * of nothing else.
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
    if (error instanceof UnusableRule) return null;
    throw error;
  }
}

class UnusableRule extends Error {}

function buildRule(parts: Map<string, string>): Rule {
  function take<T>(name: string, read: (value: string) => T): T | null {
    const value = parts.get(name);
    parts.delete(name);
    return value === undefined ? null : read(value);
  }
  const listOf =
    <T>(read: (value: string) => T) =>
    (value: string) =>
      value.split(",").map((each) => read(each.trim()));
  const signedList = (max: number) =>
    listOf((value) => parseInteger(value, /^[+-]?\d{1,3}$/, -max, max));
  const parseUnsigned = (value: string, min: number, max: number) =>
    parseInteger(value, /^\d{1,2}$/, min, max);
  const timePart = (max: number) => (value: string) => parseUnsigned(value, 0, max);
  const parsePositive = (value: string) =>
    parseInteger(value, /^\d{1,15}$/, 1, Number.MAX_SAFE_INTEGER);

  const rule = {
    frequency: take("FREQ", parseFrequency) ?? failInvalid(),
    interval: take("INTERVAL", parsePositive) ?? 1,
    count: take("COUNT", parsePositive),
    until: take("UNTIL", parseUntil),
    weekStart: take("WKST", parseWeekday) ?? 0,
    months: take(
      "BYMONTH",
      listOf((value) => parseUnsigned(value, 1, 12)),
    ),
    monthDays: take("BYMONTHDAY", signedList(31)),
    weekdays: take("BYDAY", listOf(parseNthWeekday)),
    hour: take("BYHOUR", timePart(23)),
    minute: take("BYMINUTE", timePart(59)),
    second: take("BYSECOND", timePart(59)),
    positions: take("BYSETPOS", signedList(366)),
  };
  return parts.size === 0 ? rule : failInvalid();
}

function failInvalid(): never {
  throw new UnusableRule();
}

function parseFrequency(value: string): Rule["frequency"] {
  return frequencies.find((each) => each === value) ?? failInvalid();
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
