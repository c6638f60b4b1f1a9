const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const positions = ["First", "Second", "Third", "Fourth"];
const dayMs = 24 * 60 * 60_000;
/** Two dates always have some distance. A pattern needs three. */
const minDates = 3;
/** The first dates of a series show its pattern, so that a long one does not take longer. */
const maxDates = 30;

/**
 * Says how often a series repeats, such as "Every Thursday". Null if its dates, in their order,
 * have no simple pattern. Imported calendars do not tell us the rule, only the dates. A few dates
 * that are left out, such as holidays, do not change the pattern.
 */
export function describeRepeats(dates: string[]): string | null {
  const days = [...new Set(dates.slice(0, maxDates))].map((date) => Date.parse(date) / dayMs);
  if (days.length < minDates) return null;
  const names = [...new Set(days.map(weekdayOf))].sort((one, other) => one - other);
  const [name = "", ...others] = names.map((each) => weekdays[each]);
  const isMostly = (step: number) => countSteps(days, step) * 2 >= days.length;
  if (isMostly(1) && names.length === weekdays.length) return "Every day";
  if (isMostly(7)) {
    if (names.join() === "1,2,3,4,5") return "Every weekday";
    const last = others.pop();
    return last === undefined
      ? `Every ${name}`
      : `Every ${[name, ...others].join(", ")} and ${last}`;
  }
  if (others.length > 0) return null;
  if (isMostly(14)) return `Every other ${name}`;
  const weeks = new Set(days.map(weekOfMonth));
  const [week = 0] = weeks;
  if (weeks.size === 1 && positions[week]) return `${positions[week]} ${name} of the month`;
  return days.every(isInLastWeek) ? `Last ${name} of the month` : null;
}

const toDate = (day: number) => new Date(day * dayMs);
const weekdayOf = (day: number) => toDate(day).getUTCDay();
const weekOfMonth = (day: number) => Math.floor((toDate(day).getUTCDate() - 1) / 7);
const isInLastWeek = (day: number) => toDate(day).getUTCMonth() !== toDate(day + 7).getUTCMonth();

/** How many of the days are followed by another one after exactly this many days. */
function countSteps(days: number[], step: number): number {
  const all = new Set(days);
  return days.filter((day) => all.has(day + step)).length;
}
