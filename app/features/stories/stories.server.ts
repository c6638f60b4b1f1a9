import { readSharedOr } from "../../../db/shared-reads.ts";
import type { PageServices, Services } from "../../platform/services.ts";
import { cacheTags } from "../../platform/tags.ts";
import { aboutFile } from "../about/files.server.ts";
import { findAuthorPath } from "../about/team.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { findCategorySection, listCategories, sectionsFile } from "../feeds/files.server.ts";
import { newsFolder, type StoryFile } from "./files.server.ts";
import {
  atFirstSeen,
  type FirstSeen,
  isMomentMissing,
  readFirstSeen,
} from "./first-seen.server.ts";
import type { StoryCard, StoryLink, StoryPageContent } from "./model.ts";
import { approvedStories, findApprovedStory, type ReaderStory } from "./readers/approved.server.ts";
import { submitStoryFile } from "./readers/files.server.ts";
import {
  isPublished,
  monthOf,
  newestFirst,
  recordFromFile,
  recordFromReader,
  type StoryRecord,
  toCard,
  toStory,
} from "./record.server.ts";

const relatedCount = 3;

/**
 * The newsroom's own stories come from files. Stories that readers sent and an editor approved come
 * from the database.
 */
const readTimeZone = ({ site }: Pick<Services, "site">) => site.read(siteSettingsFile).timeZone;

type FileStories = {
  timeZone: string;
  firstSeen: FirstSeen | undefined;
  /** Newest first, including drafts and scheduled stories. */
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

function readAllFileStories(services: Pick<Services, "site">): FileStories {
  const timeZone = readTimeZone(services);
  const files = services.site.readAll(newsFolder);
  const firstSeen = readFirstSeen(services.site);
  const known = storiesByFiles.get(files);
  if (known?.timeZone === timeZone && known.firstSeen === firstSeen) return known;
  const records = files
    .filter(({ id }) => !firstSeen?.refused.has(id))
    .map((file) =>
      atFirstSeen(recordFromFile(file, timeZone), firstSeen?.times.get(file.id), timeZone),
    )
    .sort(newestFirst);
  const finished = records.filter(({ isDraft }) => !isDraft);
  const changesAt = finished
    .flatMap((record) => record.changesAt)
    .sort((one, other) => one.getTime() - other.getTime());
  const byId = new Map(records.map((record) => [record.id, record]));
  const unseen = finished.filter((record) => isMomentMissing(record, firstSeen));
  const stories = { timeZone, firstSeen, records, finished, byId, changesAt, unseen };
  storiesByFiles.set(files, stories);
  return stories;
}

/** Every story of the newsroom, including drafts and scheduled stories. */
export const listFileStories = (services: Pick<Services, "site">): readonly StoryRecord[] =>
  readAllFileStories(services).records;

/** The stories of the newsroom that readers may see, newest first. */
export function listPublishedFileStories(
  services: Pick<Services, "site" | "clock">,
): StoryRecord[] {
  const now = services.clock();
  return readAllFileStories(services).finished.filter((record) => isPublished(record, now));
}

/** Finds a story of the newsroom that readers may see. */
function findFileStory(
  services: Pick<Services, "site" | "clock">,
  id: string,
): StoryRecord | undefined {
  const record = readAllFileStories(services).byId.get(id);
  return record && isPublished(record, services.clock()) ? record : undefined;
}

/**
 * When a story next changes by its date: it is published, updated or corrected. Null if nothing is
 * scheduled.
 */
export function nextStoryDate(services: Pick<Services, "site" | "clock">): Date | null {
  const now = services.clock();
  const { changesAt } = readAllFileStories(services);
  return changesAt[changesAt.findLastIndex((at) => at <= now) + 1] ?? null;
}

/** How soon a page is rendered again if the order of its stories was not yet known. */
const unseenRetryMs = 2_000;

/**
 * The published stories of the newsroom, for a page. The page is purged when stories change, and
 * expires when the next story is due.
 */
export function readFileStories(services: PageServices): StoryRecord[] {
  services.tags.add(cacheTags.stories);
  const changesAt = nextStoryDate(services);
  if (changesAt) services.expireAt(changesAt);
  const now = services.clock();
  const { unseen } = readAllFileStories(services);
  if (unseen.some(({ dueAt }) => dueAt <= now))
    services.expireAt(new Date(now.getTime() + unseenRetryMs));
  return listPublishedFileStories(services);
}

/** The stories by readers, newest first. */
const readStoriesByReaders = async (
  services: Pick<Services, "site" | "db" | "clock">,
): Promise<StoryRecord[]> =>
  toReaderRecords(services, await readSharedOr(services.db, approvedStories, []));

/**
 * Until `rememberPublished` refuses a new file with the path of a reader's story, the page shows the
 * file.
 */
function toReaderRecords(
  services: Pick<Services, "site" | "clock">,
  stories: ReaderStory[],
): StoryRecord[] {
  const { picture: placeholder } = services.site.read(submitStoryFile);
  return stories
    .filter(({ slug }) => !findFileStory(services, slug))
    .map((story) => recordFromReader(story, placeholder));
}

/**
 * The newsroom's published stories for the lists on a page. They include samples only while nothing
 * else is published, neither by the newsroom nor by readers.
 */
async function readListedStories(services: PageServices): Promise<StoryRecord[]> {
  const files = preferReal(readFileStories(services));
  if (!files[0]?.isSample) return files;
  return (await readStoriesByReaders(services)).length > 0 ? [] : files;
}

/** Leaves out samples, unless there is nothing else. */
function preferReal(records: StoryRecord[]): StoryRecord[] {
  const real = records.filter(({ isSample }) => !isSample);
  return real.length > 0 ? real : records;
}

/** Selects stories of these categories, and of a month such as 2026-11. */
type StoryFilter = { categories?: string[] | undefined; month?: string | undefined };

export function selectStories(
  records: StoryRecord[],
  { categories, month }: StoryFilter,
): StoryRecord[] {
  const wanted = categories && new Set(categories.map((category) => category.toLowerCase()));
  return records.filter(
    (record) =>
      (!wanted || wanted.has(record.category.toLowerCase())) &&
      (month === undefined || monthOf(record) === month),
  );
}

/** The published stories for the lists on a page, by the newsroom and by readers, newest first. */
export async function readStories(
  services: PageServices,
  filter: StoryFilter = {},
): Promise<StoryRecord[]> {
  const all = [...(await readListedStories(services)), ...(await readStoriesByReaders(services))];
  return selectStories(all, filter).sort(newestFirst);
}

/** How many of the newest stories are read to find those about a subject. */
const maxSearched = 600;

/** The newest published stories whose title or excerpt is about a subject, newest first. */
export async function storiesAbout(
  services: PageServices,
  isAbout: (texts: string[]) => boolean,
): Promise<StoryRecord[]> {
  const newest = (await readStories(services)).slice(0, maxSearched);
  return newest.filter(({ title, excerpt }) => isAbout([title, excerpt]));
}

/**
 * Picks up to `count` stories: first the stories with the given ids, in this order, then pinned
 * stories, then the newest. Samples come last, even if their ids are given. Stories with an id in
 * `shownElsewhere` are left out.
 */
export function pickStories(
  records: StoryRecord[],
  ids: string[],
  count: number,
  shownElsewhere: string[] = [],
): StoryCard[] {
  const positionOf = ({ id }: StoryRecord) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
  return records
    .filter(({ id }) => !shownElsewhere.includes(id))
    .toSorted(
      (one, other) =>
        Number(one.isSample) - Number(other.isSample) ||
        positionOf(one) - positionOf(other) ||
        Number(other.isPinned) - Number(one.isPinned) ||
        newestFirst(one, other),
    )
    .slice(0, count)
    .map(toCard);
}

/** The stories that the front page chooses from. */
export const readFrontPageStories = async (services: PageServices): Promise<StoryRecord[]> => [
  ...readFileStories(services),
  ...(await readStoriesByReaders(services)),
];

/** One story with its image, and the titles of the others: the block "From our newsroom". */
const newsroomBlockCount = 5;

/** The stories of the block "From our newsroom": from all categories, or from those of a section. */
export async function readNewsroomBlock(
  services: PageServices,
  sectionName?: string,
): Promise<StoryCard[]> {
  const { sections } = services.site.read(sectionsFile);
  const filter =
    sectionName === undefined ? {} : { categories: listCategories(sections, sectionName) };
  return pickStories(await readStories(services, filter), [], newsroomBlockCount);
}

/** The stories of the block "From our newsroom" that are about a neighborhood. */
export const readPlaceBlock = async (
  services: PageServices,
  isAbout: (texts: string[]) => boolean,
): Promise<StoryCard[]> =>
  pickStories(await storiesAbout(services, isAbout), [], newsroomBlockCount);

/** The newest stories by readers, followed by the newsroom's own if there are too few. */
export async function newestLocalStories(
  services: PageServices,
  ids: string[],
  count: number,
): Promise<StoryCard[]> {
  const readerStories = (await readStoriesByReaders(services)).slice(0, count);
  const files = await readListedStories(services);
  return [...readerStories.map(toCard), ...pickStories(files, ids, count)].slice(0, count);
}

/** Finds a story that readers may see. */
export async function findStoryRecord(
  services: Pick<Services, "site" | "db" | "clock">,
  id: string,
): Promise<StoryRecord | null> {
  const file = findFileStory(services, id);
  if (file) return file;
  const readerStory = await findApprovedStory(services.db, id);
  return (readerStory && toReaderRecords(services, [readerStory])[0]) ?? null;
}

/** A story and what its page shows around it. Null if readers may not see the story. */
export async function findStory(
  services: PageServices,
  id: string,
): Promise<StoryPageContent | null> {
  const record = await findStoryRecord(services, id);
  return record ? readStoryPage(services, record) : null;
}

/** The page of a story, also of a draft. */
export async function readStoryPage(
  services: PageServices,
  record: StoryRecord,
): Promise<StoryPageContent> {
  const { timeZone, origin } = services.site.read(siteSettingsFile);
  const { members } = services.site.read(aboutFile).team;
  const stories = await readStories(services);
  const series = stories
    .filter(({ series, id }) => series !== null && series === record.series && id !== record.id)
    .concat(record)
    .sort(newestFirst)
    .reverse();
  const neighbors = findNeighbors(record, stories);
  const linked = [...series, neighbors.older, neighbors.newer].flatMap((story) => story?.id ?? []);
  return {
    story: toStory(record, timeZone, services.clock()),
    authors: record.authors.map((name) => ({
      name,
      // A reader may have the same name as a member of the team.
      to: record.isFromReader ? null : findAuthorPath(members, name),
    })),
    url: `${origin}/news/${record.id}`,
    related: findRelated(services, record, stories, new Set(linked)),
    series: series.length > 1 ? series.map(toLink) : [],
    ...neighbors,
  };
}

/**
 * Finds other stories of the same section. If there are none, or no section shows the category of
 * the story, finds the newest stories of all sections. Stories that the page links anyway are found
 * only if there are too few others.
 */
function findRelated(
  { site }: Pick<Services, "site">,
  record: StoryRecord,
  stories: StoryRecord[],
  linked: Set<string>,
): StoryPageContent["related"] {
  const section = findCategorySection(site.read(sectionsFile), record.category);
  const isSameCategory = ({ category }: StoryRecord) =>
    category.toLowerCase() === record.category.toLowerCase();
  const find = (filter: StoryFilter) =>
    selectStories(stories, filter)
      .filter(({ id }) => id !== record.id)
      .sort(
        (one, other) =>
          Number(linked.has(one.id)) - Number(linked.has(other.id)) ||
          Number(isSameCategory(other)) - Number(isSameCategory(one)) ||
          newestFirst(one, other),
      )
      .slice(0, relatedCount)
      .map(toCard);
  const ofSection = section ? find({ categories: section.categories }) : [];
  if (!section || ofSection.length === 0) return { section: null, stories: find({}) };
  return { section: { heading: section.heading, path: section.path }, stories: ofSection };
}

const toLink = ({ id, title }: StoryLink): StoryLink => ({ id, title });

/** The stories right before and after a story. A real story is never next to a sample. */
function findNeighbors(
  record: StoryRecord,
  stories: StoryRecord[],
): { older: StoryLink | null; newer: StoryLink | null } {
  const others = stories.filter(
    ({ isSample, id }) => isSample === record.isSample && id !== record.id,
  );
  const older = others.find((other) => newestFirst(record, other) < 0);
  const newer = others.findLast((other) => newestFirst(record, other) > 0);
  return { older: older ? toLink(older) : null, newer: newer ? toLink(newer) : null };
}

/**
 * The published stories of the newsroom and the newest by readers, for work without a page. Samples
 * are included only if there is nothing else.
 */
export async function listNewestStories(
  services: Pick<Services, "site" | "db" | "clock">,
): Promise<StoryRecord[]> {
  const files = listPublishedFileStories(services);
  return preferReal([...files, ...(await readStoriesByReaders(services))]).sort(newestFirst);
}

/** Those of these stories that are published, by id. */
export async function findPublishedStories(
  services: Pick<Services, "site" | "db" | "clock">,
  ids: string[],
): Promise<Map<string, StoryRecord>> {
  const stories = await Promise.all(ids.map((id) => findStoryRecord(services, id)));
  return new Map(stories.flatMap((record) => (record ? [[record.id, record]] : [])));
}
