import { type ArticleDates, describeDates, listChanges } from "../../lib/article-dates.ts";
import { localTimestamp, longDate, writtenInstant } from "../../lib/dates.ts";
import { artPath, isImageAvailable } from "../../lib/images/art.ts";
import { textToHtml } from "../../lib/text/html.ts";
import { truncateAtWord } from "../../lib/text/truncate-at-word.ts";
import { toTypographic } from "../../lib/text/typography/typography.ts";
import type { ShareCard } from "../../platform/share-card.ts";
import type { Correction } from "../../site-files/article-fields.server.ts";
import {
  type Image,
  noPhoto,
  type Photo,
  withoutCaption,
} from "../../site-files/site-fields.server.ts";
import type { StoredStory } from "./approved.server.ts";
import type { StoryFile } from "./files.server.ts";
import { type LiveRecord, readLiveStory } from "./live/entries.server.ts";
import type { LiveStory, Story, StoryCard } from "./model.ts";

/** A story as the server handles it, whether it is a file or a row of the database. */
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
  /**
   * When pages with the story change, because its file publishes, updates or corrects it. A change of
   * a stored story purges these pages.
   */
  changesAt: Date[];
  html: string;
  moreImages: Image[];
  live: LiveRecord | null;
};

/** Converting a file takes much longer than finding its record, and a value is never changed. */
const recordsByFile = new WeakMap<StoryFile, { timeZone: string; record: StoryRecord }>();

export function recordFromFile(file: StoryFile, timeZone: string): StoryRecord {
  const known = recordsByFile.get(file);
  if (known?.timeZone === timeZone) return known.record;
  const { title, excerpt, category, date, image, updated, corrections, series } = file.front;
  const dueAt = writtenInstant(date, timeZone);
  const day = date.slice(0, 10);
  const live = readLiveStory(
    { title, html: file.html, live: file.front.live ?? null, day },
    timeZone,
  );
  const lastChange = latestWritten(updated, live?.lastWritten);
  const record: StoryRecord = {
    slug: file.id,
    title,
    excerpt,
    category,
    date: longDate(day),
    image,
    isSample: file.front.sample,
    isFromReader: false,
    isLive: live?.isLive ?? false,
    isDraft: file.front.draft,
    isPinned: file.front.pinned,
    hasAds: file.front.ads,
    series: series ?? null,
    authors: file.front.author,
    writtenDate: date,
    dueAt,
    publishedAt: dueAt,
    updated: lastChange,
    corrections,
    changesAt: listChanges({ date, updated: lastChange, corrections }, timeZone),
    html: live?.html ?? file.html,
    moreImages: [],
    live,
  };
  recordsByFile.set(file, { timeZone, record });
  return record;
}

/** A day is before all times of that day. */
const latestWritten = (...dates: (string | null | undefined)[]): string | null =>
  dates
    .filter((date) => date != null)
    .sort()
    .at(-1) ?? null;

const maxExcerptLength = 200;

/** `placeholder` is the image of a reader's story that has none. */
type RowSettings = { placeholder: Image; timeZone: string };

export function recordFromRow(stored: StoredStory, settings: RowSettings): StoryRecord {
  const { placeholder, timeZone } = settings;
  const { slug, title, category, day, publishedAt, updatedAt, corrections, isPinned } = stored;
  const [image, ...moreImages] = stored.images;
  const isFromReader = stored.writtenBy === "reader";
  const toWritten = (at: Date) => localTimestamp(at, timeZone).slice(0, 16).replace("T", " ");
  const live = readLiveStory(stored, timeZone);
  return {
    slug,
    title: toTypographic(title),
    category,
    date: longDate(day),
    isSample: false,
    isFromReader,
    isLive: live?.isLive ?? false,
    isDraft: false,
    isPinned,
    hasAds: true,
    series: null,
    dueAt: publishedAt,
    publishedAt,
    updated: updatedAt && toWritten(updatedAt),
    corrections,
    changesAt: [],
    moreImages,
    live,
    ...(isFromReader
      ? readerTexts(stored, image ?? { ...placeholder, caption: null, credit: null })
      : {
          excerpt: toTypographic(stored.excerpt),
          image: image ?? noPhoto,
          authors: stored.authors,
          writtenDate: toWritten(publishedAt),
          html: live?.html ?? stored.html,
        }),
  };
}

/** A reader's story is plain text, and its page shows only the day of its publication. */
function readerTexts({ text, name, day }: StoredStory, image: Photo) {
  const story = toTypographic(text);
  return {
    excerpt: truncateAtWord(story.replaceAll(/\s+/g, " ").trim(), maxExcerptLength),
    image,
    authors: name === "" ? [] : [name],
    writtenDate: day,
    html: textToHtml(story),
  };
}

export const isPublished = ({ isDraft, dueAt }: StoryRecord, now: Date) => !isDraft && dueAt <= now;

/** Newest first. Stories of the same instant are in a fixed order, so that paging works. */
export const newestFirst = (one: StoryRecord, other: StoryRecord) =>
  other.publishedAt.getTime() - one.publishedAt.getTime() || (one.slug < other.slug ? 1 : -1);

/** What the dates of a story mean now. Dates in its file are always valid. */
export function datesOf(record: StoryRecord, timeZone: string, now: Date): ArticleDates {
  const { writtenDate: date, updated, corrections } = record;
  const dates = describeDates({ date, updated, corrections }, timeZone, now, { showTime: true });
  if (!dates) throw new Error(`The story ${record.slug} has no valid date.`);
  return dates;
}

/** Drops the fields that a card does not show, so that they are not sent to the browser. */
export const toCard = ({
  slug,
  title,
  excerpt,
  category,
  date,
  publishedAt,
  image,
  isSample,
  isFromReader,
  isLive,
}: StoryCard): StoryCard => ({
  slug,
  title,
  excerpt,
  category,
  date,
  publishedAt,
  image: withoutCaption(image),
  isSample,
  isFromReader,
  isLive,
});

export const toShareCard = ({ category, title, date, image, isSample }: StoryCard): ShareCard => ({
  label: category,
  title,
  lines: [date],
  image: isImageAvailable(image)
    ? { path: artPath(image.file), alt: image.alt, focus: image.focus }
    : null,
  mark: isSample ? "Sample" : null,
  dateTile: null,
});

/** Leaves out an image that an earlier story of the same list has, such as that of readers' stories. */
export const showImagesOnce = (records: StoryRecord[]): StoryRecord[] =>
  records.map((record, index) =>
    records.findIndex(({ image }) => image.file === record.image.file) < index
      ? { ...record, image: noPhoto }
      : record,
  );

const wordsPerMinute = 230;

export function toStory(record: StoryRecord, timeZone: string, now: Date): Story {
  const { published, updated, modified, corrections } = datesOf(record, timeZone, now);
  const words = record.html.replaceAll(/<[^>]{0,500}>/g, " ").split(/\s+/).length;
  return {
    ...toCard(record),
    image: record.image,
    html: record.live ? "" : record.html,
    authors: record.authors,
    published,
    updated,
    modified,
    corrections,
    series: record.series,
    readingMinutes: Math.max(1, Math.round(words / wordsPerMinute)),
    hasAds: record.hasAds,
    moreImages: record.moreImages,
    live: record.live && toLive(record.live),
  };
}

const toLive = ({ isLive, version, summary, entries }: LiveRecord): LiveStory => ({
  isLive,
  version,
  summary,
  entries,
});

export const monthOf = ({ writtenDate }: StoryRecord) => writtenDate.slice(0, 7);
