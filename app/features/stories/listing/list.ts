import { toPageParam, toQueryString } from "../../../lib/links/query.ts";
import { toSlug } from "../../../lib/text/slug.ts";
import type { StoryCard } from "../model.ts";

export const storyPageSize = 20;
/** The last page of the list. To see older stories, readers choose a month. */
export const lastStoryPage = 100;

export type StoryListFilter = { month: string | null; category: string | null; page: number };

type Choice = { value: string; label: string };

export type StoryList = {
  filter: StoryListFilter;
  /** The filter in words, such as "History, October 2026". Empty if there is no filter. */
  filterLabel: string;
  months: Choice[];
  categories: Choice[];
  groups: { month: string; label: string; stories: StoryCard[] }[];
  hasOlder: boolean;
};

/** The value of a category in a URL: "Real Estate" becomes real-estate. */
export const toCategoryValue = (category: string) => toSlug(category) || category.toLowerCase();

/** The category that a query selects. Readers who type it write it as it is shown on the page. */
export const toStoryCategory = (query: URLSearchParams): string | null =>
  toCategoryValue(query.get("category") ?? "") || null;

export const toStoryParams = ({ month, category, page }: StoryListFilter) => ({
  month,
  category,
  page: toPageParam(page),
});

export const storyListPath = (filter: Partial<StoryListFilter>): string =>
  `/stories${toQueryString(toStoryParams({ month: null, category: null, page: 1, ...filter }))}`;
