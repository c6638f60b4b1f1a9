import { data } from "react-router";
import { appContext } from "../context.ts";
import { readNavigation } from "../features/layout/files.server.ts";
import {
  retryAfterSeconds,
  searchWithCache,
} from "../features/search/find/cached-search.server.ts";
import { countSearch, matchHeader } from "../features/search/find/count.server.ts";
import { createSearchScope } from "../features/search/find/find.server.ts";
import { findFeedQuery, parseSearchRequest, searchPath } from "../features/search/model.ts";
import { SearchPage } from "../features/search/pages/search-page.tsx";
import { readNewestTitles } from "../features/stories/stories.server.ts";
import { feedLinks } from "../lib/links/feed-formats.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { Follow } from "../ui/share/follow.tsx";
import type { Route } from "./+types/search.ts";

/** How many of our newest stories a search without results shows. */
const storyCount = 5;

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { site } = app;
  const searchRequest = parseSearchRequest(url.searchParams);
  const sections = readNavigation(site).main.flatMap(({ links }) => links);
  const readStories = () => readNewestTitles(app, storyCount);
  const page = { searchRequest, sections, stories: [], resultPage: null, isBusy: false };
  if (searchRequest.query === "") return { ...page, stories: await readStories() };
  const scope = createSearchScope(app);
  const resultPage = await searchWithCache(scope, searchRequest, app.ipAddress);
  if (resultPage === null) {
    const headers = { "Retry-After": String(retryAfterSeconds) };
    return data({ ...page, isBusy: true }, { status: 429, headers });
  }
  const match = resultPage.match.kind;
  countSearch(app.tally, request.headers.get("Referer"), searchRequest, match === "all");
  const stories = resultPage.results.length > 0 ? [] : await readStories();
  return data({ ...page, resultPage, stories }, { headers: { [matchHeader]: match } });
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders;

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { query } = loaderData.searchRequest;
  const title = query ? `Search: ${query}` : "Search";
  const description =
    "Search our stories, events, answers and blog, and headlines from other newsrooms.";
  const head = { title, description, path: searchPath, index: false };
  const feedQuery = findFeedQuery(loaderData.searchRequest);
  return [
    ...pageMeta(root.loaderData.site, head),
    ...(feedQuery ? feedLinks(searchPath, title, feedQuery) : []),
  ];
}

export default function SearchRoute({ loaderData, matches }: Route.ComponentProps) {
  const feedQuery = findFeedQuery(loaderData.searchRequest);
  const follow = feedQuery && (
    <Follow
      origin={matches[0].loaderData.site.origin}
      title={`the search for “${loaderData.searchRequest.query}”`}
      feed={{ path: searchPath, query: feedQuery }}
      feedNote="New stories, blog posts and headlines that have all of your words."
    />
  );
  return <SearchPage {...loaderData} follow={follow} />;
}
