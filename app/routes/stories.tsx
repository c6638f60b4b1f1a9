import { data } from "react-router";
import { appContext } from "../context.ts";
import { storyListsFile } from "../features/stories/files.server.ts";
import { readStoryList } from "../features/stories/listing/list.server.ts";
import { toStoryParams } from "../features/stories/listing/list.ts";
import { StoriesPage } from "../features/stories/pages/stories-page.tsx";
import { loaderDataOf } from "../lib/http/loader-data.ts";
import { requireCanonicalUrl } from "../lib/links/canonical-url.server.ts";
import { feedLinks } from "../lib/links/feed-formats.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/stories.ts";

export const handle = { page: { params: ["month", "category", "page"] } } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const list = await readStoryList(services, url.searchParams);
  requireCanonicalUrl(url, toStoryParams(list.filter));
  const isPastEnd = list.filter.page > 1 && list.groups.length === 0;
  const { stories: head } = services.site.read(storyListsFile);
  return data({ head, list }, { status: isPastEnd ? 404 : 200 });
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { head, list } = loaderData;
  const { heading, description } = head;
  const title = list.filterLabel === "" ? heading : `${heading}: ${list.filterLabel}`;
  return [
    ...pageMeta(loaderDataOf(matches, "root")?.site, { title, description, path: "/stories" }),
    ...feedLinks("/feeds/stories", heading),
  ];
}

export default function StoriesRoute({ loaderData }: Route.ComponentProps) {
  return <StoriesPage head={loaderData.head} list={loaderData.list} />;
}
