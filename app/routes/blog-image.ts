import { appContext } from "../context.ts";
import { imageResponse } from "../features/blog/posts/images.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/blog-image.ts";

/**
 * Pictures are kept in the database and by browsers; among the pages they would take the place of
 * hundreds.
 */
export const handle = { page: { cache: "none" } } satisfies RouteHandle;

export const loader = ({ request, params, context }: Route.LoaderArgs) =>
  imageResponse(request, params, context.get(appContext));
