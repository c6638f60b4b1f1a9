import { appContext } from "../context.ts";
import { findPostImage } from "../features/blog/posts/images.server.ts";
import { findStoryImage } from "../features/stories/approved.server.ts";
import { respondIfChanged } from "../lib/http/if-none-match.server.ts";
import { findStoredImage } from "../lib/images/stored-image.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/stored-image.ts";

/**
 * Browsers cache images. In our page cache, one image would take the space of hundreds of pages.
 */
export const handle = { cache: "none" } satisfies RouteHandle;

/**
 * An image never changes, but one that is removed from the site must soon disappear from browsers
 * and caches as well.
 */
const cacheForOneDay = "public, max-age=86400";

/** An image of a reader's story, or one that an editor added to a story or a post. */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const id = findStoredImage(url.pathname);
  const bytes = id && ((await findStoryImage(db, id)) ?? (await findPostImage(db, id)));
  if (!bytes) return new Response("This image was not found.\n", { status: 404 });
  return respondIfChanged(request.headers.get("if-none-match"), `"${id}"`, new Uint8Array(bytes), {
    "Content-Type": "image/webp",
    "Cache-Control": cacheForOneDay,
    "Cross-Origin-Resource-Policy": "cross-origin",
  });
}
