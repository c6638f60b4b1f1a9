import { readSharedOr, type SharedRead } from "../../../db/shared-reads.ts";
import { oldestFirst } from "../../lib/article-dates.ts";
import { calendarDay, writtenInstant } from "../../lib/dates.ts";
import { createMemo } from "../../lib/memo.ts";
import {
  noPage,
  type PageScope,
  type PageServices,
  type Services,
} from "../../platform/services.ts";
import { cacheTags } from "../../platform/tags.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { listCategories, sectionsFile } from "../feeds/files.server.ts";
import { type FileNote, readFileNotes } from "../file-notes/notes.server.ts";
import { findRedirect } from "../redirects/files.server.ts";
import { renamedPaths } from "../redirects/rows.server.ts";
import {
  approvedStories,
  findApprovedStory,
  listedStories,
  type StoredStory,
} from "./approved.server.ts";
import { newsFolder, submitStoryFile } from "./files.server.ts";
import { type StoryCard, storyPath } from "./model.ts";
import {
  isPublished,
  newestFirst,
  recordFromFile,
  recordFromRow,
  type StoryRecord,
  showImagesOnce,
  toCard,
} from "./record.server.ts";
import { rememberedStories } from "./schema.server.ts";

type RememberedBySlug = ReadonlyMap<string, { title: string; noticedAt: Date }>;

/** The titles of all stories that were ever published, and when the site first saw each of them. */
export const rememberedBySlug: SharedRead<RememberedBySlug> = {
  name: "remembered stories",
  tags: [cacheTags.stories],
  async load(db) {
    const rows = await db.select().from(rememberedStories);
    return new Map(rows.map(({ slug, ...story }) => [slug, story]));
  },
};

const noneRemembered: RememberedBySlug = new Map();
const noneStored: StoredStory[] = [];
const noneListed: ReadonlyMap<string, unknown> = new Map();

/** Whether the file has a day and no time. */
export const isDatedByDay = ({ writtenDate }: Pick<StoryRecord, "writtenDate">) =>
  writtenDate.length === "2026-11-15".length;

/**
 * If the file of a story has only a day, its moment of publication is when the site first saw it on
 * that day. Otherwise it remains the start of the day.
 */
function atFirstSeen(record: StoryRecord, seenAt: Date | undefined, timeZone: string): StoryRecord {
  const isOnItsDay =
    seenAt && isDatedByDay(record) && calendarDay(seenAt, timeZone) === record.writtenDate;
  return isOnItsDay ? { ...record, publishedAt: seenAt } : record;
}

function addNote(record: StoryRecord, note: FileNote | undefined, timeZone: string): StoryRecord {
  if (!note) return record;
  const noted = note.corrections.map(({ date }) => writtenInstant(date, timeZone));
  return {
    ...record,
    isPinned: record.isPinned || note.isPinned,
    corrections: [...record.corrections, ...note.corrections],
    changesAt: [...record.changesAt, ...noted],
  };
}

export type StoryServices = Pick<Services, "site" | "db" | "clock">;

type FileStories = {
  /** Newest first, including drafts and scheduled stories, without those that are taken down. */
  records: StoryRecord[];
  /** When a story is published, updated or corrected, in the order of time. */
  changesAt: Date[];
};

// With thousands of stories, converting and sorting them takes too long to do for each page.
const fileStories = createMemo<FileStories>();
const allStories = createMemo<StoryRecord[]>();

/**
 * A story of the database stays at its path, also while it is down. So a file with the same name is
 * not used, except while the database has been unavailable since the server started.
 */
async function loadFiles({ site, db }: Omit<StoryServices, "clock">): Promise<FileStories> {
  const notes = await readFileNotes(db, "story");
  const remembered = await readSharedOr(db, rememberedBySlug, noneRemembered);
  const stored = await readSharedOr(db, listedStories, noneListed);
  const settings = site.read(siteSettingsFile);
  const files = site.readAll(newsFolder);
  return fileStories("all", [files, settings, notes, remembered, stored], () => {
    const { timeZone } = settings;
    const records = files
      .filter(({ id }) => !stored.has(id) && !notes.get(id)?.isDown)
      .map((file) => addNote(recordFromFile(file, timeZone), notes.get(file.id), timeZone))
      .map((record) => atFirstSeen(record, remembered.get(record.slug)?.noticedAt, timeZone))
      .sort(newestFirst);
    const changesAt = records
      .filter(({ isDraft }) => !isDraft)
      .flatMap((record) => record.changesAt)
      .sort(oldestFirst);
    return { records, changesAt };
  });
}

/** The stories in files and in the database, newest first, also those that are not published yet. */
async function loadAll(services: Omit<StoryServices, "clock">): Promise<StoryRecord[]> {
  const { records } = await loadFiles(services);
  const stored = await readSharedOr(services.db, approvedStories, noneStored);
  const settings = readRowSettings(services);
  return allStories("all", [records, stored, settings.placeholder, settings.timeZone], () =>
    [...records, ...stored.map((story) => recordFromRow(story, settings))].sort(newestFirst),
  );
}

const readRowSettings = ({ site }: Pick<StoryServices, "site">) => ({
  placeholder: site.read(submitStoryFile).picture,
  timeZone: site.read(siteSettingsFile).timeZone,
});

// Below, a function whose name begins with "read" reads for a page: the page is purged when stories
// change, and those that read several stories let it expire when the next scheduled story is due.
// "list" leaves both to the caller.

/** Every story in a file, including drafts and scheduled stories, but none that is taken down. */
export const listFileStoriesAndDrafts = async (services: Omit<StoryServices, "clock">) =>
  (await loadFiles(services)).records;

/** The stories in files that readers may see, with samples, newest first. */
export async function listPublishedFileStories(services: StoryServices): Promise<StoryRecord[]> {
  const now = services.clock();
  return (await loadFiles(services)).records.filter((record) => isPublished(record, now));
}

export async function readPublishedFileStories(services: StoryServices & PageScope) {
  await expireAtNextChange(services);
  return listPublishedFileStories(services);
}

/** All stories that readers may see, in files and in the database, with samples, newest first. */
export async function readPublishedStories(
  services: StoryServices & PageScope,
): Promise<StoryRecord[]> {
  await expireAtNextChange(services);
  const now = services.clock();
  return (await loadAll(services)).filter((record) => isPublished(record, now));
}

async function expireAtNextChange(services: StoryServices & PageScope): Promise<void> {
  services.tags.add(cacheTags.stories);
  const now = services.clock();
  const { changesAt } = await loadFiles(services);
  const nextChangeAt = changesAt[changesAt.findLastIndex((at) => at <= now) + 1];
  if (nextChangeAt) services.expireAt(nextChangeAt);
}

/** All published stories without samples or, if there are only samples, these. */
export async function readStoriesOrSamples(
  services: StoryServices & PageScope,
): Promise<StoryRecord[]> {
  const records = await readPublishedStories(services);
  const real = records.filter(({ isSample }) => !isSample);
  return real.length > 0 ? real : records;
}

export const listStoriesOrSamples = (services: StoryServices): Promise<StoryRecord[]> =>
  readStoriesOrSamples({ ...services, ...noPage });

export function selectCategories(records: StoryRecord[], categories: string[]): StoryRecord[] {
  const wanted = new Set(categories.map((category) => category.toLowerCase()));
  return records.filter(({ category }) => wanted.has(category.toLowerCase()));
}

export const readNewestTitles = async (services: PageServices, count: number) =>
  (await readStoriesOrSamples(services))
    .slice(0, count)
    .map(({ slug, title, category, date, isSample }) => ({
      to: storyPath(slug),
      title,
      facts: `${category} · ${date}`,
      isSample,
    }));

/** How many of the newest stories are read to find those about a subject. */
const maxSearched = 600;

export async function readStoriesAbout(
  services: PageServices,
  isAbout: (texts: string[]) => boolean,
): Promise<StoryRecord[]> {
  const newest = (await readStoriesOrSamples(services)).slice(0, maxSearched);
  return newest.filter(({ title, excerpt }) => isAbout([title, excerpt]));
}

/**
 * Picks the stories with the given slugs first, in this order, then pinned ones, then the newest.
 * Samples come last, even if their slugs are given.
 */
export function pickStories(
  records: StoryRecord[],
  slugs: string[],
  count: number,
  shownElsewhere: string[] = [],
): StoryCard[] {
  const positionOf = ({ slug }: StoryRecord) =>
    slugs.includes(slug) ? slugs.indexOf(slug) : slugs.length;
  const picked = records
    .filter(({ slug }) => !shownElsewhere.includes(slug))
    .toSorted(
      (one, other) =>
        Number(one.isSample) - Number(other.isSample) ||
        positionOf(one) - positionOf(other) ||
        Number(other.isPinned) - Number(one.isPinned) ||
        newestFirst(one, other),
    )
    .slice(0, count);
  return showImagesOnce(picked).map(toCard);
}

/** How many stories the block "From our newsroom" shows: one with its image, and titles of others. */
const newsroomBlockCount = 5;

export async function readNewsroomBlock(services: PageServices, sectionName?: string) {
  const stories = await readStoriesOrSamples(services);
  const { sections } = services.site.read(sectionsFile);
  const ofSection =
    sectionName === undefined
      ? stories
      : selectCategories(stories, listCategories(sections, sectionName));
  return pickStories(ofSection, [], newsroomBlockCount);
}

export const readPlaceBlock = async (
  services: PageServices,
  isAbout: (texts: string[]) => boolean,
) => pickStories(await readStoriesAbout(services, isAbout), [], newsroomBlockCount);

/** The newest stories by readers, followed by the newsroom's own if there are too few. */
export async function readNewestLocalStories(
  services: PageServices,
  slugs: string[],
  count: number,
) {
  const stories = await readStoriesOrSamples(services);
  const byReaders = stories.filter(({ isFromReader }) => isFromReader).slice(0, count);
  const others = stories.filter(({ isFromReader }) => !isFromReader);
  return [...byReaders.map(toCard), ...pickStories(others, slugs, count)].slice(0, count);
}

async function findStoryRecord(services: StoryServices, slug: string) {
  const now = services.clock();
  const known = (await loadAll(services)).find((record) => record.slug === slug);
  if (known && isPublished(known, now)) return known;
  const stored = await findApprovedStory(services.db, slug);
  return stored && recordFromRow(stored, readRowSettings(services));
}

/** The page that shows this story is purged when stories change, and expires when this one does. */
export async function readStoryRecord(services: StoryServices & PageScope, slug: string) {
  services.tags.add(cacheTags.stories);
  const record = await findStoryRecord(services, slug);
  const now = services.clock();
  for (const at of record?.changesAt ?? []) if (at > now) services.expireAt(at);
  return record;
}

export async function findLiveVersion(
  services: StoryServices,
  slug: string,
): Promise<string | null> {
  const live = (await findStoryRecord(services, slug))?.live;
  return live?.isLive ? live.version : null;
}

/**
 * Finds the published stories by these slugs, even if a story was renamed since. The keys are the
 * given slugs.
 */
export async function findPublishedStories(services: StoryServices, slugs: string[]) {
  const newPaths = await readSharedOr(services.db, renamedPaths, {});
  const stories = await Promise.all(
    slugs.map(async (slug) => {
      const renamed = findRedirect(newPaths, storyPath(slug))?.replace("/news/", "");
      const record = await findStoryRecord(services, renamed ?? slug);
      return record ? [[slug, record] as const] : [];
    }),
  );
  return new Map(stories.flat());
}
