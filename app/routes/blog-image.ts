import { appContext } from "../context.ts";
import { imageResponse } from "../features/blog/posts/images.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/blog-image.ts";

/**
 * Browsers cache images. In our page cache, one image would take the space of hundreds of pages.
 */
export const handle = { cache: "none" } satisfies RouteHandle;

export const loader = ({ request, params, context }: Route.LoaderArgs) =>
  imageResponse(request, params, context.get(appContext));
