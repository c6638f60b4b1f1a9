import { readSharedOr } from "../../../db/shared-reads.ts";
import { noPage, type PageServices, type Services } from "../../platform/services.ts";
import { cacheTags } from "../../platform/tags.ts";
import type { TitleItem } from "../../ui/title-list.tsx";
import { siteSettingsFile } from "../brand/files.server.ts";
import { listCategories, sectionsFile } from "../feeds/files.server.ts";
import { findRedirect } from "../redirects/files.server.ts";
import { renamedPaths } from "../redirects/rows.server.ts";
import {
  createFileStoryFinder,
  listPublishedFileStories,
  readFileStories,
} from "./file-stories.server.ts";
import type { StoryCard } from "./model.ts";
import { approvedStories, findApprovedStory, type StoredStory } from "./readers/approved.server.ts";
import { submitStoryFile } from "./readers/files.server.ts";
import {
  monthOf,
  newestFirst,
  recordFromRow,
  type StoryRecord,
  showImagesOnce,
  toCard,
} from "./record.server.ts";

/** The stories in the database, by readers and from the desk, newest first. */
async function readStoredStories(
  services: Pick<PageServices, "site" | "db" | "clock" | "tags">,
): Promise<StoryRecord[]> {
  services.tags.add(cacheTags.stories);
  return toStoredRecords(services, await readSharedOr(services.db, approvedStories, []));
}

/** The stories by readers, newest first. */
const readStoriesByReaders = async (services: PageServices): Promise<StoryRecord[]> =>
  (await readStoredStories(services)).filter(({ isFromReader }) => isFromReader);

/**
 * Until `rememberPublished` refuses a new file with the path of such a story, the page shows the
 * file.
 */
async function toStoredRecords(
  services: Pick<Services, "site" | "db" | "clock">,
  stories: StoredStory[],
): Promise<StoryRecord[]> {
  const { picture: placeholder } = services.site.read(submitStoryFile);
  const { timeZone } = services.site.read(siteSettingsFile);
  const findFile = await createFileStoryFinder(services);
  return stories
    .filter(({ slug }) => !findFile(slug))
    .map((story) => recordFromRow(story, { placeholder, timeZone }));
}

/**
 * The newsroom's published stories for the lists on a page. They include samples only while nothing
 * else is published, neither by the newsroom nor by readers.
 */
async function readListedStories(services: PageServices): Promise<StoryRecord[]> {
  const files = preferReal(await readFileStories(services));
  const stored = await readStoredStories(services);
  const listed = files[0]?.isSample && stored.length > 0 ? [] : files;
  return [...listed, ...stored.filter(({ isFromReader }) => !isFromReader)];
}

/** Leaves out samples, unless there is nothing else. */
function preferReal(records: StoryRecord[]): StoryRecord[] {
  const real = records.filter(({ isSample }) => !isSample);
  return real.length > 0 ? real : records;
}

/** Selects stories of these categories, and of a month such as 2026-11. */
export type StoryFilter = { categories?: string[] | undefined; month?: string | undefined };

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

/** The titles of the newest stories, for a page about something else. */
export const readNewestTitles = async (
  services: PageServices,
  count: number,
): Promise<TitleItem[]> =>
  (await readStories(services)).slice(0, count).map(({ id, title, category, date, isSample }) => ({
    to: `/news/${id}`,
    title,
    facts: `${category} · ${date}`,
    isSample,
  }));

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
  const picked = records
    .filter(({ id }) => !shownElsewhere.includes(id))
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

/** The stories that the front page chooses from. */
export const readFrontPageStories = async (services: PageServices): Promise<StoryRecord[]> => [
  ...(await readFileStories(services)),
  ...(await readStoredStories(services)),
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
  const findFile = await createFileStoryFinder(services);
  const file = findFile(id);
  if (file) return file;
  const stored = await findApprovedStory(services.db, id);
  return (stored && (await toStoredRecords(services, [stored]))[0]) ?? null;
}

/**
 * The published stories in files and the newest in the database, for work without a page. Samples
 * are included only if there is nothing else.
 */
export async function listNewestStories(
  services: Pick<Services, "site" | "db" | "clock">,
): Promise<StoryRecord[]> {
  const stored = await readStoredStories({ ...services, ...noPage });
  return preferReal([...(await listPublishedFileStories(services)), ...stored]).sort(newestFirst);
}

/** Those of these stories that are published, by the given ids, also of stories renamed since. */
export async function findPublishedStories(
  services: Pick<Services, "site" | "db" | "clock">,
  ids: string[],
): Promise<Map<string, StoryRecord>> {
  const newPaths = await readSharedOr(services.db, renamedPaths, {});
  const stories = await Promise.all(
    ids.map(async (id) => {
      const renamed = findRedirect(newPaths, `/news/${id}`)?.replace("/news/", "");
      const record = await findStoryRecord(services, renamed ?? id);
      return record ? [[id, record] as const] : [];
    }),
  );
  return new Map(stories.flat());
}
