import { appContext } from "../context.ts";
import { readerImageResponse } from "../features/stories/readers/approved.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/reader-image.ts";

/**
 * Images are stored in the database and cached by browsers. In the page cache, one image would take
 * the space of hundreds of pages.
 */
export const handle = { cache: "none" } satisfies RouteHandle;

export const loader = ({ request, params, context }: Route.LoaderArgs) =>
  readerImageResponse(
    context.get(appContext).db,
    params.file,
    request.headers.get("if-none-match"),
  );
