import { appContext } from "../context.ts";
import { readBanner } from "../features/alerts/pages/page.server.ts";
import type { Route } from "./+types/banner-json.ts";

/**
 * The banner as HTML, for readers who open pages without loading a document. Served from the page
 * cache.
 */
export async function loader({ context }: Route.LoaderArgs) {
  return Response.json(await readBanner(context.get(appContext)));
}
