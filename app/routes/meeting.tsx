import { appContext } from "../context.ts";
import { toMeetingCard } from "../features/events/documents.server.ts";
import { overAt } from "../features/events/listing/describe.server.ts";
import { toMeetingDetails } from "../features/events/meetings/describe.server.ts";
import { createMeetingLookup, findMeeting } from "../features/events/meetings/gather.server.ts";
import { meetingsPath } from "../features/events/meetings/model.ts";
import { MeetingPage } from "../features/events/pages/meeting-page.tsx";
import { missingPage } from "../features/failures/missing.server.ts";
import { describeShareImage } from "../features/share-images/describe.server.ts";
import { nextMidnight } from "../lib/dates.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { breadcrumbData, eventData } from "../ui/seo/structured-data.ts";
import type { Route } from "./+types/meeting.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const lookup = createMeetingLookup(app);
  const meeting = await findMeeting(lookup, params.id);
  if (!meeting) throw await missingPage(app);
  app.expireAt(overAt(meeting));
  app.expireAt(nextMidnight(lookup.now, lookup.timeZone));
  const details = toMeetingDetails(meeting, lookup);
  const card = toMeetingCard(details);
  return {
    meeting: details,
    url: lookup.origin + details.path,
    shareImage: describeShareImage(app.site, { kind: "meetings", id: meeting.id, card }),
  };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { site } = root.loaderData;
  const { meeting } = loaderData;
  const { path, title, excerpt, isSample, hasDetails, dateLine } = meeting;
  const head = pageMeta(site, {
    title: `${title}, ${dateLine}`,
    description: excerpt,
    path,
    index: !isSample && hasDetails,
    image: loaderData.shareImage,
  });
  // Search engines present structured data as facts, but a sample does not take place.
  if (isSample || !import.meta.env.SSR) return head;
  const facts = { ...meeting, image: null };
  const parent = { name: "Public Meetings", path: meetingsPath };
  return [...head, eventData(site, facts), breadcrumbData(site, parent, { name: title, path })];
}

export default function MeetingRoute({ loaderData }: Route.ComponentProps) {
  return <MeetingPage meeting={loaderData.meeting} url={loaderData.url} />;
}
