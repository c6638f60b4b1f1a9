import { type ArticleDates, describeDates } from "../../lib/article-dates.ts";
import { longDate, writtenInstant } from "../../lib/dates.ts";
import { textToHtml } from "../../lib/text/html.ts";
import { truncateAtWord } from "../../lib/text/truncate-at-word.ts";
import { toTypographic } from "../../lib/text/typography/typography.ts";
import type { Correction } from "../../site-files/article-fields.server.ts";
import {
  type Image,
  noPhoto,
  type Photo,
  withoutCaption,
} from "../../site-files/site-fields.server.ts";
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
  /** The instant of the written date. From then on, readers may see the story. */
  dueAt: Date;
  /** The written date of the last update; null if there was none. */
  updated: string | null;
  corrections: Correction[];
  /** When pages with the story change: it is published, updated and corrected. */
  changesAt: Date[];
  html: string;
  moreImages: Image[];
};

/** Converting a file takes much longer than finding its record, and a value is never changed. */
const recordsByFile = new WeakMap<StoryFile, { timeZone: string; record: StoryRecord }>();

export function recordFromFile(file: StoryFile, timeZone: string): StoryRecord {
  const known = recordsByFile.get(file);
  if (known?.timeZone === timeZone) return known.record;
  const { title, excerpt, category, date, image, updated, corrections, series } = file.front;
  const dueAt = writtenInstant(date, timeZone);
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
    dueAt,
    publishedAt: dueAt,
    updated: updated ?? null,
    corrections,
    changesAt: [date, updated ?? date, ...corrections.map((correction) => correction.date)].map(
      (written) => writtenInstant(written, timeZone),
    ),
    html: file.html,
    moreImages: [],
  };
  recordsByFile.set(file, { timeZone, record });
  return record;
}

const maxExcerptLength = 200;

const recordsByStory = new WeakMap<ReaderStory, { placeholder: Image; record: StoryRecord }>();

/** `placeholder` is the image of a story that has none. */
export function recordFromReader(readerStory: ReaderStory, placeholder: Image): StoryRecord {
  const known = recordsByStory.get(readerStory);
  if (known?.placeholder === placeholder) return known.record;
  const { slug, title, text: typed, name, category, day, publishedAt, images } = readerStory;
  const [image = placeholder, ...moreImages] = images;
  const story = toTypographic(typed);
  const record: StoryRecord = {
    id: slug,
    title: toTypographic(title),
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
    dueAt: publishedAt,
    publishedAt,
    updated: null,
    corrections: [],
    changesAt: [],
    html: textToHtml(story),
    moreImages,
  };
  recordsByStory.set(readerStory, { placeholder, record });
  return record;
}

/** Whether readers may see the story. */
export const isPublished = ({ isDraft, dueAt }: StoryRecord, now: Date) => !isDraft && dueAt <= now;

/** Newest first. Stories of the same instant are in a fixed order, so that paging works. */
export const newestFirst = (one: StoryRecord, other: StoryRecord) =>
  other.publishedAt.getTime() - one.publishedAt.getTime() || (one.id < other.id ? 1 : -1);

/** What the dates of a story mean now. Dates in its file are always valid. */
export function datesOf(record: StoryRecord, timeZone: string, now: Date): ArticleDates {
  const { writtenDate: date, updated, corrections } = record;
  const dates = describeDates({ date, updated, corrections }, timeZone, now, { showTime: true });
  if (!dates) throw new Error(`The story ${record.id} has no valid date.`);
  return dates;
}

/** Drops the fields that a card does not show, so that they are not sent to the browser. */
export const toCard = ({
  id,
  title,
  excerpt,
  category,
  date,
  publishedAt,
  image,
  isSample,
  isFromReader,
}: StoryCard): StoryCard => ({
  id,
  title,
  excerpt,
  category,
  date,
  publishedAt,
  image: withoutCaption(image),
  isSample,
  isFromReader,
});

/** Leaves out an image that an earlier story of the same list has, such as that of readers' stories. */
export const showImagesOnce = (records: StoryRecord[]): StoryRecord[] =>
  records.map((record, index) =>
    records.findIndex(({ image }) => image.file === record.image.file) < index
      ? { ...record, image: noPhoto }
      : record,
  );

const wordsPerMinute = 230;

/** Converts a story for its own page. */
export function toStory(record: StoryRecord, timeZone: string, now: Date): Story {
  const { published, updated, modified, corrections } = datesOf(record, timeZone, now);
  const words = record.html.replaceAll(/<[^>]{0,500}>/g, " ").split(/\s+/).length;
  return {
    ...toCard(record),
    image: record.image,
    html: record.html,
    authors: record.authors,
    published,
    updated,
    modified,
    corrections,
    series: record.series,
    readingMinutes: Math.max(1, Math.round(words / wordsPerMinute)),
    hasAds: record.hasAds,
    moreImages: record.moreImages,
  };
}

/** The month of a story in the city, such as 2026-11. */
export const monthOf = ({ writtenDate }: StoryRecord) => writtenDate.slice(0, 7);
