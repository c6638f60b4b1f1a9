import { listCorrections, type PublishedCorrection } from "../../../lib/article-dates.ts";
import { longMonth } from "../../../lib/dates.ts";
import { readPageNumber } from "../../../lib/links/query.ts";
import type { PageScope, PageServices } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { listCategories, sectionsFile } from "../../feeds/files.server.ts";
import { storyPath } from "../model.ts";
import { monthOf, type StoryRecord, showImagesOnce, toCard } from "../record.server.ts";
import {
  readPublishedStories,
  readStoriesOrSamples,
  type StoryServices,
  selectCategories,
} from "../stories.server.ts";
import {
  lastStoryPage,
  type StoryList,
  type StoryListFilter,
  storyPageSize,
  toCategoryValue,
  toStoryCategory,
} from "./list.ts";

/**
 * Ignores a month or category without stories, so the list is empty only if there are no stories,
 * or past its last page.
 */
export async function readStoryList(
  services: PageServices,
  query: URLSearchParams,
): Promise<StoryList> {
  const stories = await readStoriesOrSamples(services);
  const filter = parseFilter(query, stories);
  const { month, category } = filter;
  const start = (filter.page - 1) * storyPageSize;
  const newest = stories.filter(isIn(filter)).slice(start, start + storyPageSize + 1);
  const ofCategory = stories.filter(isIn({ category }));
  const categories = listCategoryChoices(stories.filter(isIn({ month })));
  const label = categories.find(({ value }) => value === category)?.label;
  return {
    filter,
    filterLabel: [label, month && longMonth(month)].filter(Boolean).join(", "),
    months: [...new Set(ofCategory.map(monthOf))]
      .sort()
      .reverse()
      .map((value) => ({ value, label: longMonth(value) })),
    categories,
    groups: groupByMonth(showImagesOnce(newest.slice(0, storyPageSize))),
    hasOlder: newest.length > storyPageSize && filter.page < lastStoryPage,
  };
}

/** Selects the stories of a month and of a category, as URLs write them. */
export const isIn =
  ({ month, category }: { month?: string | null; category?: string | null }) =>
  (record: StoryRecord) =>
    (month == null || monthOf(record) === month) &&
    (category == null || toCategoryValue(record.category) === category);

function parseFilter(query: URLSearchParams, stories: StoryRecord[]): StoryListFilter {
  const requestedCategory = toStoryCategory(query);
  const category = stories.some(isIn({ category: requestedCategory })) ? requestedCategory : null;
  const requestedMonth = query.get("month");
  const month = stories.some(isIn({ month: requestedMonth, category })) ? requestedMonth : null;
  return {
    month: month || null,
    category: category || null,
    page: readPageNumber(query, lastStoryPage),
  };
}

/** Stories may write the name of a category in several ways. The newest one is the label. */
function listCategoryChoices(stories: StoryRecord[]): StoryList["categories"] {
  const byValue = Map.groupBy(stories, ({ category }) => toCategoryValue(category));
  return [...byValue]
    .map(([value, [newest]]) => ({ value, label: newest?.category ?? value }))
    .sort((one, other) => (one.value < other.value ? -1 : 1));
}

function groupByMonth(records: StoryRecord[]): StoryList["groups"] {
  const byMonth = Map.groupBy(records, (record) => monthOf(record));
  return [...byMonth].map(([month, stories]) => ({
    month,
    label: longMonth(month),
    stories: stories.map(toCard),
  }));
}

/** The page with these corrections expires when the next correction is due. */
export async function storyCorrections(
  services: StoryServices & PageScope,
): Promise<PublishedCorrection[]> {
  const { timeZone } = services.site.read(siteSettingsFile);
  const now = services.clock();
  const stories = await readPublishedStories(services);
  return stories.flatMap(({ slug, title, corrections }) =>
    listCorrections({ title, path: storyPath(slug), corrections }, timeZone, now),
  );
}

const maxNewestStories = 6;
const maxStoriesPerMonth = 100;

type ArchiveChoice = { month: string | null; section: string | null; source: string | null };

/**
 * Returns the stories of the chosen month and section or, without a month, the newest. Empty if a
 * source is chosen, because sources are other newsrooms.
 */
export async function readArchivedStories(
  services: PageServices,
  { month, section, source }: ArchiveChoice,
) {
  const { sections } = services.site.read(sectionsFile);
  const all = await readStoriesOrSamples(services);
  const oldest = all.at(-1);
  const ofSection =
    section === null ? all : selectCategories(all, listCategories(sections, section));
  const stories =
    source === null
      ? ofSection
          .filter(isIn({ month }))
          .slice(0, month === null ? maxNewestStories : maxStoriesPerMonth)
      : [];
  return {
    firstMonth: oldest && monthOf(oldest),
    stories: stories.map(({ slug, title, publishedAt, isSample, isFromReader }) => ({
      title,
      link: storyPath(slug),
      at: publishedAt,
      mark: isSample ? "Sample" : isFromReader ? "From a reader" : null,
    })),
  };
}
