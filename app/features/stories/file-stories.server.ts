import { calendarDay } from "../../lib/dates.ts";
import type { PageServices, Services } from "../../platform/services.ts";
import { cacheTags } from "../../platform/tags.ts";
import type { SiteContent } from "../../site-files/site-file.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { type FileNote, readFileNotes } from "../file-notes/notes.server.ts";
import { newsFolder, type StoryFile } from "./files.server.ts";
import { isPublished, newestFirst, recordFromFile, type StoryRecord } from "./record.server.ts";

type FirstSeen = {
  readAt: Date;
  /** When the site first saw each story that was published at the time `readAt`, by its id. */
  times: ReadonlyMap<string, Date>;
  /** The ids of files that are not used, because a story of the database is published at their path. */
  refused: ReadonlySet<string>;
};

/** `rememberPublished` reads them from the database, where all nodes share them. */
const firstSeenBySite = new WeakMap<SiteContent, FirstSeen>();

/** Undefined if they have not been read yet. */
export const readFirstSeen = (site: SiteContent): FirstSeen | undefined =>
  firstSeenBySite.get(site);

export const storeFirstSeen = (site: SiteContent, firstSeen: FirstSeen): void => {
  firstSeenBySite.set(site, firstSeen);
};

/** Whether the file has a day and no time. */
export const isDatedByDay = ({ writtenDate }: Pick<StoryRecord, "writtenDate">) =>
  writtenDate.length === "2026-11-15".length;

/**
 * Whether the moment of publication of the story is still to be read. A story that was scheduled
 * when they were read is published at the start of its day.
 */
const isMomentMissing = (record: StoryRecord, firstSeen: FirstSeen | undefined) =>
  isDatedByDay(record) &&
  (!firstSeen || (!firstSeen.times.has(record.id) && record.dueAt <= firstSeen.readAt));

/**
 * Sets the moment of publication of a story whose file has no time: when the site first saw the
 * story, if that was on its day. Otherwise it remains the start of the day.
 */
function atFirstSeen(record: StoryRecord, seenAt: Date | undefined, timeZone: string): StoryRecord {
  const isOnItsDay =
    seenAt && isDatedByDay(record) && calendarDay(seenAt, timeZone) === record.writtenDate;
  return isOnItsDay ? { ...record, publishedAt: seenAt } : record;
}

/** Adds what editors decided at the desk. */
const addNote = (record: StoryRecord, note: FileNote | undefined): StoryRecord =>
  note
    ? {
        ...record,
        isPinned: record.isPinned || note.isPinned,
        corrections: [...record.corrections, ...note.corrections],
      }
    : record;

type Notes = Awaited<ReturnType<typeof readFileNotes>>;

type FileStories = {
  timeZone: string;
  firstSeen: FirstSeen | undefined;
  notes: Notes;
  /** Newest first, including drafts and scheduled stories, without those that are taken down. */
  records: StoryRecord[];
  /** The same without drafts. */
  finished: StoryRecord[];
  byId: Map<string, StoryRecord>;
  /** When a story is published, updated or corrected, in the order of time. */
  changesAt: Date[];
  /** Finished stories whose moment of publication is not known yet. */
  unseen: StoryRecord[];
};

/** With thousands of stories, sorting them takes too long to do for each request. */
const storiesByFiles = new WeakMap<readonly StoryFile[], FileStories>();

async function readAllFileStories(services: Pick<Services, "site" | "db">): Promise<FileStories> {
  const notes = await readFileNotes(services.db, "story");
  const { timeZone } = services.site.read(siteSettingsFile);
  const files = services.site.readAll(newsFolder);
  const firstSeen = readFirstSeen(services.site);
  const known = storiesByFiles.get(files);
  if (known?.timeZone === timeZone && known.firstSeen === firstSeen && known.notes === notes)
    return known;
  const records = files
    .filter(({ id }) => !firstSeen?.refused.has(id) && !notes.get(id)?.isDown)
    .map((file) => addNote(recordFromFile(file, timeZone), notes.get(file.id)))
    .map((record) => atFirstSeen(record, firstSeen?.times.get(record.id), timeZone))
    .sort(newestFirst);
  const finished = records.filter(({ isDraft }) => !isDraft);
  const changesAt = finished
    .flatMap((record) => record.changesAt)
    .sort((one, other) => one.getTime() - other.getTime());
  const byId = new Map(records.map((record) => [record.id, record]));
  const unseen = finished.filter((record) => isMomentMissing(record, firstSeen));
  const stories = { timeZone, firstSeen, notes, records, finished, byId, changesAt, unseen };
  storiesByFiles.set(files, stories);
  return stories;
}

/** Every story in a file, including drafts and scheduled stories, but none that is taken down. */
export const listFileStories = async (
  services: Pick<Services, "site" | "db">,
): Promise<readonly StoryRecord[]> => (await readAllFileStories(services)).records;

type FileServices = Pick<Services, "site" | "db" | "clock">;

/** The stories of the newsroom that readers may see, newest first. */
export async function listPublishedFileStories(services: FileServices): Promise<StoryRecord[]> {
  const now = services.clock();
  return (await readAllFileStories(services)).finished.filter((record) => isPublished(record, now));
}

/** Returns a function that finds a story in a file that readers may see. */
export async function createFileStoryFinder(
  services: FileServices,
): Promise<(id: string) => StoryRecord | undefined> {
  const { byId } = await readAllFileStories(services);
  const now = services.clock();
  return (id) => {
    const record = byId.get(id);
    return record && isPublished(record, now) ? record : undefined;
  };
}

/**
 * When a story next changes by its date: it is published, updated or corrected. Null if nothing is
 * scheduled.
 */
export async function nextStoryDate(services: FileServices): Promise<Date | null> {
  const now = services.clock();
  const { changesAt } = await readAllFileStories(services);
  return changesAt[changesAt.findLastIndex((at) => at <= now) + 1] ?? null;
}

/** How soon a page is rendered again if the order of its stories was not yet known. */
const unseenRetryMs = 2_000;

/**
 * The published stories of the newsroom, for a page. The page is purged when stories change, and
 * expires when the next story is due.
 */
export async function readFileStories(services: PageServices): Promise<StoryRecord[]> {
  services.tags.add(cacheTags.stories);
  const changesAt = await nextStoryDate(services);
  if (changesAt) services.expireAt(changesAt);
  const now = services.clock();
  const { unseen } = await readAllFileStories(services);
  if (unseen.some(({ dueAt }) => dueAt <= now))
    services.expireAt(new Date(now.getTime() + unseenRetryMs));
  return listPublishedFileStories(services);
}
