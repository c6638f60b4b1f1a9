import { appContext } from "../context.ts";
import { jsonResponse } from "../features/events/listing/responses.server.ts";
import { loadFeed } from "../features/events/listing/view.server.ts";
import { filterParamNames } from "../features/events/model.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/events-json.ts";

export const handle = { params: filterParamNames, part: "events" } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { events, lookup, siteName } = await loadFeed(context.get(appContext), url);
  return jsonResponse(events, lookup, siteName);
}
