import { calendarDay } from "../dates.ts";

type Dated = { id: string; front: { date: string } };

/**
 * Notes records that are dated in the future: a day, or an instant. `seen` says what readers see of
 * them until then.
 */
export function noteFutureDates(
  folder: string,
  records: Dated[],
  timeZone: string,
  now: Date,
  seen: string,
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
      message: `is in the future (${front.date}), and readers see ${seen}`,
      isNote: true,
    }));
}
