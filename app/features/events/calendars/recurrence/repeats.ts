const units = new Map([
  ...["day", "days", "daily"].map((word) => [word, "DAILY"] as const),
  ...["week", "weeks", "weekly"].map((word) => [word, "WEEKLY"] as const),
  ...["month", "months", "monthly"].map((word) => [word, "MONTHLY"] as const),
  ...["year", "years", "yearly"].map((word) => [word, "YEARLY"] as const),
]);
const intervals = new Map(Object.entries({ other: 2, two: 2, three: 3, four: 4 }));
const positions = new Map(Object.entries({ first: 1, second: 2, third: 3, fourth: 4, last: -1 }));
const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const fillers = ["every", "each", "on", "and", "the", "of"];

const withEnd =
  /^(?<often>.{1,100}?),? (?:until (?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)|(?<count>\d{1,3}) times)$/;

/**
 * Turns words such as "weekly until 2027-03-01" or "first Saturday of the month, 10 times" into a
 * recurrence rule (RFC 5545). Returns null for words that it does not know.
 */
export function toRecurrenceRule(written: string): string | null {
  const words = written.trim().toLowerCase().replaceAll(/\s+/g, " ");
  const { often = words, year, month, day, count } = withEnd.exec(words)?.groups ?? {};
  const rule = toFrequency(often);
  if (rule === null) return null;
  if (year !== undefined) return `${rule};UNTIL=${year}${month}${day}`;
  return count === undefined ? rule : `${rule};COUNT=${count}`;
}

function toFrequency(often: string): string | null {
  const [named, nth, days]: [string[], number[], string[]] = [[], [], []];
  let interval = 1;
  for (const word of often.split(/[ ,]+/)) {
    const [unit, position, number] = [units.get(word), positions.get(word), intervals.get(word)];
    const weekday = weekdays.find((each) => word === each || word === `${each}s`);
    if (unit !== undefined) named.push(unit);
    else if (position !== undefined) nth.push(position);
    else if (weekday !== undefined) days.push(weekday.slice(0, 2).toUpperCase());
    else if (word === "weekdays" || word === "weekday") days.push("MO", "TU", "WE", "TH", "FR");
    else if (/^[2-9]$/.test(word)) interval = Number(word);
    else if (number !== undefined) interval = number;
    else if (!fillers.includes(word)) return null;
  }
  const implied = nth.length > 0 ? "MONTHLY" : days.length > 0 ? "WEEKLY" : undefined;
  const frequency = named[0] ?? implied;
  const isClear =
    frequency !== undefined &&
    named.length < 2 &&
    (implied === undefined || implied === frequency) &&
    (nth.length === 0 || days.length > 0) &&
    // Some people mean every other Friday by "every second Friday".
    !(/^(?:every|each) /.test(often) && nth.length > 0 && named.length === 0);
  if (!isClear) return null;
  const dates = nth.length > 0 ? nth.flatMap((each) => days.map((day) => `${each}${day}`)) : days;
  return [
    `FREQ=${frequency}`,
    ...(interval > 1 ? [`INTERVAL=${interval}`] : []),
    ...(dates.length > 0 ? [`BYDAY=${dates.join(",")}`] : []),
  ].join(";");
}
