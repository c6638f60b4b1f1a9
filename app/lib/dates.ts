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

export function daysBefore(instant: Date, days: number): Date {
  return new Date(instant.getTime() - days * 24 * 60 * 60 * 1000);
}
