import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { meetingFeed } from "../features/meetings/feed.server.ts";
import { loadMeetings } from "../features/meetings/listing/view.server.ts";
import { findFeedExtension } from "../lib/links/feed-formats.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/meeting-feed.ts";

export const handle = { params: ["body"] } satisfies RouteHandle;

export async function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { name } = app.site.read(siteSettingsFile);
  return meetingFeed(findFeedExtension(url), await loadMeetings(app, url), name);
}
