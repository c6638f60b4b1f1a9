import { appContext } from "../context.ts";
import { frameResponse } from "../features/events/listing/responses.server.ts";
import { eventFeed } from "../features/events/listing/view.server.ts";
import { filterParams } from "../features/events/model.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/events-frame.ts";

export const handle = { page: { params: filterParams } } satisfies RouteHandle;

/** The calendar as a frame for other sites, without header, footer and scripts. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { events, lookup, siteName } = await eventFeed(context.get(appContext), url);
  return frameResponse(events, lookup, siteName);
}
