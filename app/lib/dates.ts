export type Clock = () => Date;

/** The calendar day of an instant in a time zone, as YYYY-MM-DD. */
export function calendarDay(instant: Date, timeZone: string): string {
  // The Swedish form of a date is the ISO form.
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(instant);
}

/** A calendar day in long US format: April 14, 2025. */
export function longDate(day: string): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(new Date(day));
}

/** So many days later, or earlier, in the calendar. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** The instant at which the clocks of a time zone show this day and time (HH:MM). */
export function instantAt(day: string, time: string, timeZone: string): Date {
  const asIfUtc = new Date(`${day}T${time}:00Z`);
  // Twice, because the offset is known only near the instant itself: on the day clocks change the first guess may be off.
  const guess = new Date(asIfUtc.getTime() - offsetMs(asIfUtc, timeZone));
  return new Date(asIfUtc.getTime() - offsetMs(guess, timeZone));
}

/** How far a time zone's clocks are ahead of UTC at an instant. */
function offsetMs(instant: Date, timeZone: string): number {
  // The Swedish form of date and time is the ISO form, but for the T.
  const shown = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  return (
    Date.parse(`${shown.format(instant).replace(" ", "T")}Z`) - Math.floor(instant.getTime() / 1000) * 1000
  );
}

/** When the calendar of a time zone turns to the next day. */
export function nextMidnight(now: Date, timeZone: string): Date {
  return instantAt(addDays(calendarDay(now, timeZone), 1), "00:00", timeZone);
}

export function daysBefore(instant: Date, days: number): Date {
  return new Date(instant.getTime() - days * 24 * 60 * 60 * 1000);
}
