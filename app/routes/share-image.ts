import { appContext } from "../context.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/share-image.ts";

/** Images have their own cache. In the page cache, one would take the space of dozens of pages. */
export const handle = { cache: "none" } satisfies RouteHandle;

export function loader({ request, params, context }: Route.LoaderArgs) {
  const { shareImages, ipAddress } = context.get(appContext);
  return shareImages.respond(params, {
    ipAddress,
    ifNoneMatch: request.headers.get("if-none-match"),
  });
}
