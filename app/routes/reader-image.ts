import { appContext } from "../context.ts";
import { readerImageResponse } from "../features/stories/readers/approved.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/reader-image.ts";

/**
 * Pictures are kept in the database and by browsers; among the pages they would take the place of
 * hundreds.
 */
export const handle = { page: { cache: "none" } } satisfies RouteHandle;

export const loader = ({ request, params, context }: Route.LoaderArgs) =>
  readerImageResponse(
    context.get(appContext).db,
    params.file,
    request.headers.get("if-none-match"),
  );
