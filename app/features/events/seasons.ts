/** `day` is YYYY-MM-DD. Without a list of months, every date is in season. */
export const isInSeason = (day: string, months: number[] | undefined) =>
  months === undefined || months.includes(Number(day.slice(5, 7)));

/** Returns the day itself if it is in season, else the first day of the next month in season. */
export function nextDayInSeason(day: string, months: number[] | undefined): string {
  if (isInSeason(day, months)) return day;
  const next = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  do next.setUTCMonth(next.getUTCMonth() + 1);
  while (!isInSeason(next.toISOString(), months));
  return next.toISOString().slice(0, 10);
}
