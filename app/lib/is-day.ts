/**
 * Whether a day (2026-11-15) of this century exists. `Date` would turn February 30 into March 2.
 */
export function isDay(text: string): boolean {
  const date = /^20\d\d-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
