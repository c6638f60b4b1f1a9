import { appContext } from "../context.ts";
import {
  meetingFeedPath,
  meetingsCalendarPath,
  meetingsPath,
  toBodyQuery,
} from "../features/events/meetings/model.ts";
import { loadMeetingsView } from "../features/events/meetings/view.server.ts";
import { MeetingsPage } from "../features/events/pages/meetings-page.tsx";
import { feedLinks } from "../lib/links/feed-formats.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { Follow } from "../ui/share/follow.tsx";
import type { Route } from "./+types/meetings.ts";

export const handle = { queryParams: ["body"] } satisfies RouteHandle;

export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadMeetingsView(context.get(appContext), url);

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { site } = root.loaderData;
  const { head, body } = loaderData;
  const query = toBodyQuery(body?.slug ?? null);
  return [
    ...pageMeta(site, {
      title: body ? `${body.name}: ${head.title}` : head.title,
      description: head.description,
      path: meetingsPath + query,
    }),
    {
      tagName: "link",
      rel: "alternate",
      type: "text/calendar",
      title: body?.name ?? head.heading,
      href: meetingsCalendarPath + query,
    },
    ...feedLinks(meetingFeedPath, body?.name ?? head.heading, query),
  ];
}

export default function MeetingsRoute({ loaderData, matches }: Route.ComponentProps) {
  const { body, head } = loaderData;
  const query = toBodyQuery(body?.slug ?? null);
  return (
    <MeetingsPage
      {...loaderData}
      follow={
        <Follow
          origin={matches[0].loaderData.site.origin}
          title={body?.name ?? head.heading}
          calendar={meetingsCalendarPath + query}
          feed={{ path: meetingFeedPath, query }}
          feedNote="The meetings of the next 14 days, and what changes about them."
        />
      }
    />
  );
}
