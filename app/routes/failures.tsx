import { isRouteErrorResponse, Outlet, useRouteError } from "react-router";
import { appContext } from "../context.ts";
import { brandFile } from "../features/brand/files.server.ts";
import { ErrorView } from "../features/failures/error-view.tsx";
import { NotFound } from "../features/failures/not-found.tsx";
import { tally } from "../features/tally/tally.server.ts";
import { errorFields } from "../lib/log.ts";
import type { Route } from "./+types/failures.ts";

/** Stands between the shared layout and its pages, so that a failed page still has header and footer. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }, next) => {
    const response = await next();
    if (response.status === 404) await countMissing(request, context);
    return response;
  },
];

/** Counts the path that was asked for; whether that works out is no concern of the reader's. */
async function countMissing(request: Request, context: Route.LoaderArgs["context"]): Promise<void> {
  const { db, clock, site, log } = context.get(appContext);
  const path = new URL(request.url).pathname.replace(/\.data$/, "");
  try {
    await tally(db, clock, site.read(brandFile).timeZone, "missing", path);
  } catch (error) {
    log.warn("missing.not_counted", errorFields(error));
  }
}

export function meta({ error }: Route.MetaArgs) {
  if (error === undefined) return [];
  const title = isNotFound(error) ? "Page not found" : "Unexpected Application Error!";
  return [{ title }, { name: "robots", content: "noindex" }];
}

export default function Pages() {
  return <Outlet />;
}

export function ErrorBoundary() {
  const error = useRouteError();
  return isNotFound(error) ? <NotFound /> : <ErrorView error={error} />;
}

const isNotFound = (error: unknown) => isRouteErrorResponse(error) && error.status === 404;
