import { longMonth } from "../../../lib/dates.ts";
import type { PageServices } from "../../../platform/services.ts";
import { monthOf, type StoryRecord, showImagesOnce, toCard } from "../record.server.ts";
import { readStories, selectStories } from "../stories.server.ts";
import {
  lastStoryPage,
  type StoryList,
  type StoryListFilter,
  storyPageSize,
  toCategoryValue,
  toStoryCategory,
} from "./list.ts";

/** A month and a category in which there is at least one story. */
type Group = { month: string; category: string };

/**
 * Reads one page of the list of all stories. Values of the query that select no story are ignored,
 * so a list is empty only if there are no stories, or past its end.
 */
export async function readStoryList(
  services: PageServices,
  query: URLSearchParams,
): Promise<StoryList> {
  const stories = await readStories(services);
  const groups = listGroups(stories);
  const filter = parseFilter(query, groups);
  const names = namesByValue(groups);
  const start = (filter.page - 1) * storyPageSize;
  const selected = {
    month: filter.month ?? undefined,
    categories: filter.category === null ? undefined : names.get(filter.category),
  };
  const newest = selectStories(stories, selected).slice(start, start + storyPageSize + 1);
  const labels = [
    filter.category && names.get(filter.category)?.[0],
    filter.month && longMonth(filter.month),
  ];
  return {
    filter,
    filterLabel: labels.filter(Boolean).join(", "),
    months: [
      ...new Set(groups.filter(isIn({ category: filter.category })).map(({ month }) => month)),
    ]
      .sort()
      .reverse()
      .map((month) => ({ value: month, label: longMonth(month) })),
    categories: [
      ...new Set(
        groups
          .filter(isIn({ month: filter.month }))
          .map(({ category }) => toCategoryValue(category)),
      ),
    ]
      .sort()
      .map((value) => ({ value, label: names.get(value)?.[0] ?? value })),
    groups: groupByMonth(showImagesOnce(newest.slice(0, storyPageSize))),
    hasOlder: newest.length > storyPageSize && filter.page < lastStoryPage,
  };
}

/** The months and categories of these stories. */
const listGroups = (stories: StoryRecord[]): Group[] =>
  stories.map((record) => ({ month: monthOf(record), category: record.category }));

/**
 * Returns how the stories of a category write its name, such as "History" and "history", or null if
 * there are no stories of this category. `value` is the category in a URL.
 */
export async function findCategoryNames(
  services: PageServices,
  value: string,
): Promise<string[] | null> {
  return namesByValue(listGroups(await readStories(services))).get(value) ?? null;
}

const isIn =
  (filter: { month?: string | null; category?: string | null }) =>
  ({ month, category }: Group) =>
    (filter.month == null || month === filter.month) &&
    (filter.category == null || toCategoryValue(category) === filter.category);

function parseFilter(query: URLSearchParams, groups: Group[]): StoryListFilter {
  const requestedCategory = toStoryCategory(query);
  const category = groups.some(isIn({ category: requestedCategory })) ? requestedCategory : null;
  const requestedMonth = query.get("month");
  const month = groups.some(isIn({ month: requestedMonth, category })) ? requestedMonth : null;
  const page = Number(query.get("page"));
  return {
    month: month || null,
    category: category || null,
    page: Number.isInteger(page) && page > 1 && page <= lastStoryPage ? page : 1,
  };
}

/** The ways in which a category is written, by its value in the URL. */
function namesByValue(groups: Group[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { category } of groups) {
    const known = names.get(toCategoryValue(category));
    if (!known) names.set(toCategoryValue(category), [category]);
    else if (!known.includes(category)) known.push(category);
  }
  return names;
}

function groupByMonth(records: StoryRecord[]): StoryList["groups"] {
  const byMonth = Map.groupBy(records, (record) => monthOf(record));
  return [...byMonth].map(([month, stories]) => ({
    month,
    label: longMonth(month),
    stories: stories.map(toCard),
  }));
}
