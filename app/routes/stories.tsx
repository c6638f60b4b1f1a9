import { appContext } from "../context.ts";
import { missingPage } from "../features/failures/missing.server.ts";
import { storyListsFile } from "../features/stories/files.server.ts";
import { readStoryList } from "../features/stories/listing/list.server.ts";
import { storyListPath, toStoryParams } from "../features/stories/listing/list.ts";
import { storyFeedPath } from "../features/stories/model.ts";
import { StoriesPage } from "../features/stories/pages/stories-page.tsx";
import { requireCanonicalUrl } from "../lib/links/canonical-url.server.ts";
import { feedLinks } from "../lib/links/feed-formats.ts";
import { toQueryString } from "../lib/links/query.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { breadcrumbData } from "../ui/seo/structured-data.ts";
import { Follow } from "../ui/share/follow.tsx";
import type { Route } from "./+types/stories.ts";

export const handle = { queryParams: ["month", "category", "page"] } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const list = await readStoryList(services, url.searchParams);
  requireCanonicalUrl(url, toStoryParams(list.filter));
  if (list.filter.page > 1 && list.groups.length === 0) throw await missingPage(services);
  const { stories: head } = services.site.read(storyListsFile);
  return { head, list };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { site } = root.loaderData;
  const { head, list } = loaderData;
  const { heading, description } = head;
  const { filter, filterLabel } = list;
  const filteredHeading = filterLabel === "" ? heading : `${heading}: ${filterLabel}`;
  const title = filter.page === 1 ? filteredHeading : `${filteredHeading}, page ${filter.page}`;
  const { category } = filter;
  return [
    ...pageMeta(site, { title, description, path: storyListPath(filter) }),
    ...(import.meta.env.SSR ? [breadcrumbData(site, { name: heading, path: "/stories" })] : []),
    ...feedLinks(storyFeedPath, heading, toQueryString({ category })),
  ];
}

export default function StoriesRoute({ loaderData, matches }: Route.ComponentProps) {
  const { head, list } = loaderData;
  const { category } = list.filter;
  const name = list.categories.find(({ value }) => value === category)?.label;
  return (
    <StoriesPage
      head={head}
      list={list}
      follow={
        <Follow
          origin={matches[0].loaderData.site.origin}
          title={[head.heading, name].filter(Boolean).join(": ")}
          feed={{ path: storyFeedPath, query: toQueryString({ category }) }}
        />
      }
    />
  );
}
