import { calendarDay } from "../dates.ts";

type DatedRecord = { id: string; front: { date: string } };

/**
 * Returns a note for each record whose date, a day or an instant, is in the future. `visible` says
 * what readers see until then.
 */
export function noteFutureDates(
  folder: string,
  records: DatedRecord[],
  timeZone: string,
  now: Date,
  visible: string,
) {
  const today = calendarDay(now, timeZone);
  const isFuture = (date: string) =>
    date.includes("T") ? Date.parse(date) > now.getTime() : date > today;
  return records
    .filter(({ front }) => isFuture(front.date))
    .map(({ id, front }) => ({
      file: `${folder}/${id}.md`,
      at: ["date"],
      field: "date",
      message: `is in the future (${front.date}), and readers see ${visible}`,
      isNote: true,
    }));
}
