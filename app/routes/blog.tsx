import { data, redirect, useSearchParams } from "react-router";
import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { loadBlogList, nextPublishDate } from "../features/blog/backend/load.server.ts";
import { ownDomain } from "../features/blog/backend/source.server.ts";
import { type BlogList, contentTimeoutMs, listPath, pageNumber } from "../features/blog/model.ts";
import { ListPage, type ListState } from "../features/blog/pages/list-page.tsx";
import { useBlogList } from "../features/blog/pages/queries.ts";
import { loaderDataOf } from "../lib/http/loader-data.ts";
import { withTimeout } from "../lib/http/with-timeout.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/blog.ts";

export const handle = { page: { params: ["page"] } } satisfies RouteHandle;

type First = { first: BlogList | null };

/** For the first page that a reader opens; from then on the browser asks by itself. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const asked = url.searchParams.get("page");
  const page = pageNumber(asked);
  // One address a page: whatever else somebody writes there would be kept as a page of its own.
  if (asked !== null && asked !== String(page)) throw redirect(listPath(1));
  const ready = await withTimeout(
    services.log,
    "blog",
    contentTimeoutMs,
    Promise.all([
      loadBlogList(services, ownDomain(services.site), page),
      nextPublishDate(services),
    ]),
  );
  // Not a whole page, so nobody may keep it; the reader sees it load.
  if (!ready) return data<First>({ first: null }, { status: 503 });
  const [first, changesAt] = ready.value;
  if (changesAt) services.expireAt(changesAt);
  return data<First>({ first }, { status: page > 1 && first.blogs.length === 0 ? 404 : 200 });
}

export function clientLoader(): First {
  return { first: null };
}

export function meta({ matches, location }: Route.MetaArgs) {
  const head = loaderDataOf(matches, "routes/blog-layout")?.head;
  if (!head) return [];
  const page = pageNumber(new URLSearchParams(location.search).get("page"));
  const title = page === 1 ? head.title : `${head.title}, page ${page}`;
  return pageMeta(loaderDataOf(matches, "root")?.site, { ...head, title, path: listPath(page) });
}

export default function BlogRoute({ loaderData, matches }: Route.ComponentProps) {
  const { texts, publicKey, ads } = loaderDataOf(matches, "routes/blog-layout");
  const [search] = useSearchParams();
  const page = pageNumber(search.get("page"));
  const { data: list, error, refetch } = useBlogList(page, publicKey, loaderData.first);
  return (
    <>
      <ListPage texts={texts} page={page} state={stateOf(list, error, refetch)} />
      <AdRow row={ads.list} otherContent={list} />
    </>
  );
}

function stateOf(
  list: BlogList | undefined,
  error: Error | null,
  refetch: () => unknown,
): ListState {
  if (list) return { kind: "loaded", list };
  return error
    ? { kind: "failed", message: error.message, tryAgain: refetch }
    : { kind: "loading" };
}
