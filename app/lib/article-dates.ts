import { calendarDay, clockTime, localTimestamp, longDate, writtenInstant } from "./dates.ts";

/** A date as readers see it, and as machines read it. */
export type ShownDate = { text: string; iso: string };

export type ShownCorrection = { date: ShownDate; text: string };

type WrittenCorrection = { date: string; text: string };

/** The dates of a story or a post, as the newsroom wrote them. */
type WrittenDates = {
  date: string;
  updated?: string | null | undefined;
  corrections: WrittenCorrection[];
};

export type ArticleDates = {
  published: ShownDate;
  publishedAt: Date;
  /** Null if the text did not change, or changed within an hour of its publication. */
  updated: ShownDate | null;
  /** The last change until now: the publication, an update or a correction. */
  modifiedAt: Date;
  /** `modifiedAt` as text for machines. */
  modified: string;
  /** The newest first. */
  corrections: ShownCorrection[];
};

/** Readers need not know about a change that came this soon after the publication. */
const minUpdateDelayMs = 60 * 60 * 1000;
const minuteMs = 60_000;

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Prepares the dates of an article for its page. Returns null if its date is not valid. Changes and
 * corrections whose date is in the future are left out. With `showTime`, readers see the time of
 * every date that has one.
 */
export function describeDates(
  written: WrittenDates,
  timeZone: string,
  now: Date,
  { showTime = false }: { showTime?: boolean } = {},
): ArticleDates | null {
  const publishedAt = writtenInstant(written.date, timeZone);
  if (Number.isNaN(publishedAt.getTime())) return null;
  const publishedOn = calendarDay(publishedAt, timeZone);
  const show = showTime ? showDateAndTime : showDate;

  // A change on the day of the publication came after the publication, although the day began
  // before it.
  const toChange = (date: string): Date =>
    date === publishedOn
      ? new Date(publishedAt.getTime() + minuteMs)
      : writtenInstant(date, timeZone);
  const changes = [written.updated, ...written.corrections.map(({ date }) => date)]
    .filter((date) => typeof date === "string")
    .map((date) => ({ date, at: toChange(date) }))
    .filter(({ at }) => at > publishedAt && at <= now)
    .toSorted((one, other) => other.at.getTime() - one.at.getTime());
  const [last] = changes;
  const modifiedAt = last?.at ?? publishedAt;
  const isShown = modifiedAt.getTime() - publishedAt.getTime() > minUpdateDelayMs;
  return {
    published: show(written.date, timeZone),
    publishedAt,
    modified: last ? localTimestamp(last.at, timeZone) : showDate(written.date, timeZone).iso,
    updated:
      last && isShown
        ? showTime
          ? showDateAndTime(last.date, timeZone)
          : showUpdate(last.date, publishedOn, timeZone)
        : null,
    modifiedAt,
    corrections: datePast(written.corrections, timeZone, now)
      .toSorted((one, other) => other.at.getTime() - one.at.getTime())
      .map(({ date, text }) => ({ text, date: show(date, timeZone) })),
  };
}

/**
 * When pages with the article change, because it is published, updated or corrected, in
 * chronological order.
 */
export const listChanges = (
  { date, updated, corrections }: WrittenDates,
  timeZone: string,
): Date[] =>
  [date, updated, ...corrections.map((correction) => correction.date)]
    .filter((written) => typeof written === "string")
    .map((written) => writtenInstant(written, timeZone))
    .sort(oldestFirst);

export const oldestFirst = (one: Date, other: Date) => one.getTime() - other.getTime();

/** When an article last changed for its readers. */
export const findLastChange = (publishedAt: Date, changesAt: Date[], now: Date): Date =>
  [publishedAt, ...changesAt.filter((at) => at <= now)].sort(oldestFirst).at(-1) ?? publishedAt;

/** Shows the day of a written date. The date for machines also has the time, if one is written. */
function showDate(written: string, timeZone: string): ShownDate {
  const at = writtenInstant(written, timeZone);
  return {
    text: longDate(calendarDay(at, timeZone)),
    iso: dayPattern.test(written) ? written : localTimestamp(at, timeZone),
  };
}

/** Shows November 15, 2026, or November 15, 2026, 6:30 PM if a time is written. */
export function showDateAndTime(written: string, timeZone: string): ShownDate {
  const shown = showDate(written, timeZone);
  if (dayPattern.test(written)) return shown;
  const at = writtenInstant(written, timeZone);
  return { ...shown, text: `${shown.text}, ${clockTime(at, timeZone)}` };
}

/** On the day of the publication, the time of an update says more than its day. */
function showUpdate(written: string, publishedOn: string, timeZone: string): ShownDate {
  const shown = showDate(written, timeZone);
  const at = writtenInstant(written, timeZone);
  const isSameDay = calendarDay(at, timeZone) === publishedOn;
  return isSameDay ? { ...shown, text: clockTime(at, timeZone) } : shown;
}

/** A correction of a story or a post that readers can see. */
export type PublishedCorrection = {
  title: string;
  path: string;
  text: string;
  date: ShownDate;
  at: Date;
};

/** Lists the corrections of a published text, without those whose date is in the future. */
export const listCorrections = (
  { title, path, corrections }: { title: string; path: string; corrections: WrittenCorrection[] },
  timeZone: string,
  now: Date,
): PublishedCorrection[] =>
  datePast(corrections, timeZone, now).map(({ date, ...correction }) => ({
    title,
    path,
    ...correction,
    date: showDate(date, timeZone),
  }));

const datePast = (corrections: WrittenCorrection[], timeZone: string, now: Date) =>
  corrections
    .map((correction) => ({ ...correction, at: writtenInstant(correction.date, timeZone) }))
    .filter(({ at }) => at <= now);

export const newestCorrectionFirst = (one: PublishedCorrection, other: PublishedCorrection) =>
  other.at.getTime() - one.at.getTime();
