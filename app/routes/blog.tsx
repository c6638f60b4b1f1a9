import { data, redirect, useSearchParams } from "react-router";
import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { readPostList, waitForPosts } from "../features/blog/backend/load.server.ts";
import { ownDomain } from "../features/blog/backend/source.server.ts";
import { type PostList, pageNumber } from "../features/blog/model.ts";
import { FollowBlog } from "../features/blog/pages/follow-blog.tsx";
import { ListPage, type ListState } from "../features/blog/pages/list-page.tsx";
import { usePostList } from "../features/blog/pages/queries.ts";
import { listPath } from "../features/blog/paths.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/blog.ts";

export const handle = { queryParams: ["page"] } satisfies RouteHandle;

type LoaderData = { initialList: PostList | null };

/**
 * Loads the list for the first page that a reader opens. Later, the browser fetches lists itself.
 */
export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const pageParam = url.searchParams.get("page");
  const page = pageNumber(pageParam);
  // Each page has only one URL. Other values would fill the page cache with copies.
  if (pageParam !== null && pageParam !== String(page)) throw redirect(listPath(1));
  const result = await waitForPosts(
    services,
    readPostList(services, ownDomain(services.site), page),
  );
  // The status keeps the incomplete page out of caches. The browser then loads the list.
  if (!result) return data<LoaderData>({ initialList: null }, { status: 503 });
  const initialList = result.value;
  if (page > 1 && initialList.blogs.length === 0) throw data(null, { status: 404 });
  return data<LoaderData>({ initialList });
}

export function clientLoader(): LoaderData {
  return { initialList: null };
}

export function meta({ matches: [root, , , blogLayout], location }: Route.MetaArgs) {
  const { head } = blogLayout.loaderData;
  const page = pageNumber(new URLSearchParams(location.search).get("page"));
  const title = page === 1 ? head.title : `${head.title}, page ${page}`;
  return pageMeta(root.loaderData.site, { ...head, title, path: listPath(page) });
}

export default function BlogRoute({ loaderData, matches }: Route.ComponentProps) {
  const { texts, categories, publicKey, ads } = matches[3].loaderData;
  const { site } = matches[0].loaderData;
  const [search] = useSearchParams();
  const page = pageNumber(search.get("page"));
  const { data: list, error, refetch } = usePostList(page, publicKey, loaderData.initialList);
  return (
    <>
      <ListPage
        texts={texts}
        page={page}
        state={listState(list, error, refetch)}
        follow={<FollowBlog origin={site.origin} title={texts.heading} categories={categories} />}
      />
      <AdRow row={ads.list} otherContent={list} />
    </>
  );
}

function listState(
  list: PostList | undefined,
  error: Error | null,
  refetch: () => unknown,
): ListState {
  if (list) return { kind: "loaded", list };
  return error
    ? { kind: "failed", message: error.message, tryAgain: refetch }
    : { kind: "loading" };
}
