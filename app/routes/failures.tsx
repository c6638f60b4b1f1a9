import { isRouteErrorResponse, Outlet } from "react-router";
import { appContext } from "../context.ts";
import { isBlogPath } from "../features/blog/paths.ts";
import { brandFile } from "../features/brand/files.server.ts";
import { ErrorView } from "../features/failures/error-view.tsx";
import { NotFound } from "../features/failures/not-found.tsx";
import { loaderDataOf } from "../lib/http/loader-data.ts";
import { revalidateLayout } from "../lib/http/revalidation.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/failures.ts";

/**
 * Stands between the shared layout and its pages, so that a failed page still has header and
 * footer.
 */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ url, context }, next) => {
    const response = await next();
    if (response.status === 404) context.get(appContext).tally.count("missing", url.pathname);
    return response;
  },
];

export function loader({ context }: Route.LoaderArgs) {
  return { notFoundImage: context.get(appContext).site.read(brandFile).notFoundImage };
}

export const shouldRevalidate = revalidateLayout(isBlogPath);

/** When to try again, if the refusal says so. */
export function headers({ errorHeaders }: Route.HeadersArgs): Record<string, string> {
  const seconds = errorHeaders?.get("Retry-After");
  return seconds ? { "Retry-After": seconds } : {};
}

export function meta({ error, matches, location }: Route.MetaArgs) {
  // React Router says null where all is well.
  if (error === undefined || error === null) return [];
  const title = isNotFound(error) ? "Page not found" : "Unexpected Application Error!";
  const description = "This page could not be shown.";
  const head = { title, description, path: location.pathname, index: false };
  // A page that is not there has no address of its own, so that one rendered page serves all
  // missing ones.
  return pageMeta(loaderDataOf(matches, "root")?.site, head).filter(
    (tag) => !("property" in tag && tag.property === "og:url"),
  );
}

export default function Pages() {
  return <Outlet />;
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return isNotFound(error) ? (
    <NotFound picture={loaderData?.notFoundImage} />
  ) : (
    <ErrorView error={error} />
  );
}

const isNotFound = (error: unknown) => isRouteErrorResponse(error) && error.status === 404;
