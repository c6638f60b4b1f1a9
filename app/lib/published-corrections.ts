import { type ShownDate, showDate } from "./article-dates.ts";
import { writtenInstant } from "./dates.ts";

/** A correction of a story or a post that readers can see. */
export type PublishedCorrection = {
  title: string;
  path: string;
  text: string;
  date: ShownDate;
  at: Date;
};

type CorrectedText = {
  title: string;
  path: string;
  corrections: { date: string; text: string }[];
};

/** Lists the corrections of a published text, without those whose date is in the future. */
export const listCorrections = (
  { title, path, corrections }: CorrectedText,
  timeZone: string,
  now: Date,
): PublishedCorrection[] =>
  corrections
    .map(({ date, text }) => ({
      title,
      path,
      text,
      date: showDate(date, timeZone),
      at: writtenInstant(date, timeZone),
    }))
    .filter(({ at }) => at <= now);

export const newestCorrectionFirst = (one: PublishedCorrection, other: PublishedCorrection) =>
  other.at.getTime() - one.at.getTime();
