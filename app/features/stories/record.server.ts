import type { ShownDate } from "../../lib/article-dates.ts";
import {
  calendarDay,
  formatByZone,
  localTimestamp,
  longDate,
  writtenInstant,
} from "../../lib/dates.ts";
import type { Correction } from "../../lib/site/article-fields.server.ts";
import type { Image, Photo } from "../../lib/site/site-fields.server.ts";
import { textToHtml } from "../../lib/text/html.ts";
import { truncateAtWord } from "../../lib/text/truncate-at-word.ts";
import type { StoryFile } from "./files.server.ts";
import type { Story, StoryCard } from "./model.ts";
import type { ReaderStory } from "./readers/approved.server.ts";

/**
 * A story as the server handles it, whether it comes from a file of the newsroom or from a reader.
 */
export type StoryRecord = StoryCard & {
  image: Photo;
  isDraft: boolean;
  isPinned: boolean;
  hasAds: boolean;
  series: string | null;
  authors: string[];
  /** The date as it was written: a day, or a day and a time in the city's zone. */
  writtenDate: string;
  publishedAt: Date;
  /** When the story changes after it is published: its update and its corrections. */
  changes: WrittenTime[];
  corrections: Correction[];
  html: string;
  moreImages: Image[];
};

/** A date as it was written, and its instant. */
type WrittenTime = { written: string; at: Date };

/** Converting a file takes much longer than finding its record, and a value is never changed. */
const recordsByFile = new WeakMap<StoryFile, { timeZone: string; record: StoryRecord }>();

export function recordFromFile(file: StoryFile, timeZone: string): StoryRecord {
  const known = recordsByFile.get(file);
  if (known?.timeZone === timeZone) return known.record;
  const { title, excerpt, category, date, image, updated, corrections, series } = file.front;
  const publishedAt = writtenInstant(date, timeZone);
  const changes = [updated, ...corrections.map((correction) => correction.date)]
    .filter((written) => written !== undefined)
    .map((written) => ({ written, at: writtenInstant(written, timeZone) }));
  const record: StoryRecord = {
    id: file.id,
    title,
    excerpt,
    category,
    date: longDate(date.slice(0, 10)),
    image,
    isSample: file.front.sample,
    isFromReader: false,
    isDraft: file.front.draft,
    isPinned: file.front.pinned,
    hasAds: file.front.ads,
    series: series ?? null,
    authors: file.front.author,
    writtenDate: date,
    publishedAt,
    changes,
    corrections,
    html: file.html,
    moreImages: [],
  };
  recordsByFile.set(file, { timeZone, record });
  return record;
}

const maxExcerptLength = 200;

/** `placeholder` is the image of a story that has none. */
export function recordFromReader(
  { slug, title, story, name, category, day, images }: ReaderStory,
  timeZone: string,
  placeholder: Image,
): StoryRecord {
  const [image = placeholder, ...moreImages] = images;
  return {
    id: slug,
    title,
    excerpt: truncateAtWord(story.replaceAll(/\s+/g, " ").trim(), maxExcerptLength),
    category,
    date: longDate(day),
    image: { ...image, caption: null, credit: null },
    isSample: false,
    isFromReader: true,
    isDraft: false,
    isPinned: false,
    hasAds: true,
    series: null,
    authors: name === "" ? [] : [name],
    writtenDate: day,
    publishedAt: writtenInstant(day, timeZone),
    changes: [],
    corrections: [],
    html: textToHtml(story),
    moreImages,
  };
}

/** Whether readers may see the story. */
export const isPublished = ({ isDraft, publishedAt }: StoryRecord, now: Date) =>
  !isDraft && publishedAt <= now;

/** Newest first. Stories of the same instant are in a fixed order, so that paging works. */
export const newestFirst = (one: StoryRecord, other: StoryRecord) =>
  other.publishedAt.getTime() - one.publishedAt.getTime() || (one.id < other.id ? 1 : -1);

/** When the story last changed: when it was published, updated or corrected. */
export function findLastChange(
  record: StoryRecord,
  timeZone: string,
  now: Date,
): ShownDate & { at: Date } {
  const { written, at } = record.changes
    .filter(({ at }) => at <= now)
    .reduce((last, change) => (change.at > last.at ? change : last), {
      written: record.writtenDate,
      at: record.publishedAt,
    });
  return { at, ...formatWritten(written, timeZone) };
}

const time = formatByZone({ hour: "numeric", minute: "2-digit" });

/** Formats a written date: November 15, 2026, or November 15, 2026, 6:30 PM. */
export function formatWritten(written: string, timeZone: string): ShownDate {
  const day = longDate(written.slice(0, 10));
  if (written.length === 10) return { iso: written, text: day };
  const at = writtenInstant(written, timeZone);
  return { iso: localTimestamp(at, timeZone), text: `${day}, ${time(timeZone).format(at)}` };
}

/** Drops the fields that a card does not show, so that they are not sent to the browser. */
export const toCard = ({
  id,
  title,
  excerpt,
  category,
  date,
  image: { file, alt, width, height },
  isSample,
  isFromReader,
}: StoryCard): StoryCard => ({
  id,
  title,
  excerpt,
  category,
  date,
  image: { file, alt, width, height },
  isSample,
  isFromReader,
});

/** A smaller change right after publication is not worth a second date. */
const minUpdateMs = 60 * 60 * 1000;
const wordsPerMinute = 230;

/** Converts a story for its own page. */
export function toStory(record: StoryRecord, timeZone: string, now: Date): Story {
  const change = findLastChange(record, timeZone, now);
  const isUpdated = change.at.getTime() - record.publishedAt.getTime() > minUpdateMs;
  const words = record.html.replaceAll(/<[^>]{0,500}>/g, " ").split(/\s+/).length;
  return {
    ...toCard(record),
    image: record.image,
    html: record.html,
    authors: record.authors,
    published: formatWritten(record.writtenDate, timeZone),
    updated: isUpdated ? { iso: change.iso, text: change.text } : null,
    corrections: record.corrections
      .filter(({ date }) => writtenInstant(date, timeZone) <= now)
      .map(({ date, text }) => ({ date: formatWritten(date, timeZone), text }))
      .toSorted((one, other) => other.date.iso.localeCompare(one.date.iso)),
    series: record.series,
    readingMinutes: Math.max(1, Math.round(words / wordsPerMinute)),
    hasAds: record.hasAds,
    moreImages: record.moreImages,
  };
}

/** The month of a story in the city, such as 2026-11. */
export const monthOf = ({ publishedAt }: StoryRecord, timeZone: string) =>
  calendarDay(publishedAt, timeZone).slice(0, 7);
