import { appContext } from "../context.ts";
import { postImageResponse } from "../features/blog/posts/images.server.ts";
import { storyImageResponse } from "../features/stories/approved.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/stored-image.ts";

/**
 * Browsers cache images. In our page cache, one image would take the space of hundreds of pages.
 */
export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const ifNoneMatch = request.headers.get("if-none-match");
  const response = await storyImageResponse(db, params.file, ifNoneMatch);
  return response.status === 404 ? postImageResponse(db, params.file, ifNoneMatch) : response;
}
