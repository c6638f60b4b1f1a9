import {
  type ErrorResponse,
  isRouteErrorResponse,
  Outlet,
  redirect,
  useRouteLoaderData,
} from "react-router";
import { appContext } from "../context.ts";
import { isBlogPath } from "../features/blog/paths.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { isDeskPath } from "../features/desk/model.ts";
import { ErrorView } from "../features/failures/error-view.tsx";
import { missingPage } from "../features/failures/missing.server.ts";
import { NotFound } from "../features/failures/not-found.tsx";
import type { LayoutContent } from "../features/layout/files.server.ts";
import { isGone } from "../features/redirects/files.server.ts";
import { findNewPath } from "../features/redirects/rows.server.ts";
import { isMissing } from "../lib/http/missing-status.ts";
import { revalidateLayout } from "../lib/http/revalidation.ts";
import { toLoggedPath } from "../lib/log.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { TitleItem } from "../ui/title-list.tsx";
import type { Route } from "./+types/failures.ts";

/**
 * This route is between the shared layout and its pages, so that an error page still has the header
 * and the footer. For a path without a page, it also redirects (or responds that the page is gone),
 * or counts the path.
 */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ url, context }, next) => {
    const response = await next();
    if (!isMissing(response.status)) return response;
    const services = context.get(appContext);
    // Only a path without a page is redirected, so that a mistake in redirects.yaml hides nothing.
    const newPath = await findNewPath(services, url.pathname);
    if (newPath === null) {
      if (!isDeskPath(url.pathname)) services.tally.count("missing", toLoggedPath(url.pathname));
      return response;
    }
    if (!isGone(newPath)) throw redirect(newPath, 301);
    throw await missingPage(services, 410);
  },
];

export function loader({ context }: Route.LoaderArgs) {
  return { notFoundImage: context.get(appContext).site.read(siteSettingsFile).notFoundImage };
}

export const shouldRevalidate = revalidateLayout(isBlogPath);

/** Passes on the Retry-After header of an error response. */
export function headers({ errorHeaders }: Route.HeadersArgs): Record<string, string> {
  const seconds = errorHeaders?.get("Retry-After");
  return seconds ? { "Retry-After": seconds } : {};
}

export function meta({ error, matches: [root] }: Route.MetaArgs) {
  // React Router passes null if there is no error.
  if (error === undefined || error === null) return [];
  const title = !isNotFound(error)
    ? "Unexpected Application Error!"
    : error.status === 410
      ? "No longer available"
      : "Page not found";
  const description = "This page could not be shown.";
  const head = { title, description, path: null, index: false };
  return pageMeta(root.loaderData.site, head);
}

export default function Pages() {
  return <Outlet />;
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const layout = useRouteLoaderData<{ content: LayoutContent }>("routes/layout");
  if (!isNotFound(error)) return <ErrorView error={error} />;
  // Some routes throw only a status, and without the database there may be no headlines.
  const sections = layout?.content.navigation.footer.sections ?? [];
  const links: TitleItem[] = Array.isArray(error.data)
    ? error.data
    : sections.map(({ label, to }) => ({ title: label, to }));
  return <NotFound isGone={error.status === 410} image={loaderData?.notFoundImage} links={links} />;
}

const isNotFound = (error: unknown): error is ErrorResponse =>
  isRouteErrorResponse(error) && isMissing(error.status);
