import { appContext } from "../context.ts";
import { renderEventsWidget } from "../features/events/listing/responses.server.ts";
import { loadFeed } from "../features/events/listing/view.server.ts";
import { filterParamNames } from "../features/events/model.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/events-widget.ts";

export const handle = { params: filterParamNames, part: "events" } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { events, lookup, siteName: name } = await loadFeed(app, url);
  return renderEventsWidget(events, lookup, { name, colors: app.look.palette });
}
