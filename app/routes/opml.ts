import { generateOpml } from "feedsmith";
import { appContext } from "../context.ts";
import { alertFeedPath, alertsPath } from "../features/alerts/model.ts";
import { blogFile } from "../features/blog/files.server.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { briefFile } from "../features/brief/files.server.ts";
import { briefFeedPath, briefPath } from "../features/brief/model.ts";
import { eventsFile } from "../features/events/files.server.ts";
import { meetingsFile } from "../features/events/meetings/files.server.ts";
import {
  meetingFeedPath,
  meetingsCalendarPath,
  meetingsPath,
} from "../features/events/meetings/model.ts";
import { eventFeedPath, eventsPath } from "../features/events/model.ts";
import { sectionsFile } from "../features/feeds/files.server.ts";
import { storyListsFile } from "../features/stories/files.server.ts";
import { storyFeedPath } from "../features/stories/model.ts";
import { crossOriginHeaders } from "../lib/http/cross-origin.server.ts";
import type { Route } from "./+types/opml.ts";

/** /feeds.opml: all our feeds in one file, for feed readers. */
export function loader({ context }: Route.LoaderArgs) {
  const { site } = context.get(appContext);
  const { name, origin } = site.read(siteSettingsFile);
  const events = site.hasPage(eventsPath) ? site.read(eventsFile) : null;
  const blog = site.hasPage("/blog") ? site.read(blogFile) : null;
  const meetingsHeading = site.read(meetingsFile).heading;
  const feed = (text: string, path: string, page: string) => ({
    text,
    type: "rss",
    xmlUrl: `${origin}${path}.xml`,
    htmlUrl: origin + page,
  });
  // Feed readers skip the link to a calendar; programs for calendars and outlines can open it.
  const calendar = (text: string, path: string, page: string) => ({
    text: `${text} (calendar)`,
    type: "link",
    url: origin + path,
    htmlUrl: origin + page,
  });
  const outlines = [
    feed(site.read(storyListsFile).stories.heading, storyFeedPath, "/stories"),
    feed("Alerts", alertFeedPath, alertsPath),
    feed(site.read(briefFile).heading, briefFeedPath, briefPath),
    ...(blog ? [feed(blog.heading, "/blog/feed", "/blog")] : []),
    ...Object.entries(site.read(sectionsFile).sections).map(([id, { heading }]) =>
      feed(heading, `/feeds/${id}`, `/${id}`),
    ),
    ...(events ? [feed(events.heading, eventFeedPath, eventsPath)] : []),
    feed(meetingsHeading, meetingFeedPath, meetingsPath),
    ...(events ? [calendar(events.heading, "/events.ics", eventsPath)] : []),
    calendar(meetingsHeading, meetingsCalendarPath, meetingsPath),
  ];
  return new Response(generateOpml({ head: { title: name }, body: { outlines } }), {
    headers: {
      "Content-Type": "text/x-opml; charset=utf-8",
      // Readers import the file into their feed reader. If the browser showed the file instead, the
      // current page would close and the radio would stop.
      "Content-Disposition": 'attachment; filename="feeds.opml"',
      ...crossOriginHeaders,
    },
  });
}
