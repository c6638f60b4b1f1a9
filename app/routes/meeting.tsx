import { appContext } from "../context.ts";
import { missingPage } from "../features/failures/missing.server.ts";
import { toShareCard } from "../features/meetings/documents.server.ts";
import { overAt, toMeetingDetails } from "../features/meetings/listing/describe.server.ts";
import { createMeetingLookup, findMeeting } from "../features/meetings/listing/gather.server.ts";
import { meetingPath, meetingsPath } from "../features/meetings/model.ts";
import { MeetingPage } from "../features/meetings/pages/meeting-page.tsx";
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
  const url = lookup.origin + meetingPath(meeting.id);
  const details = toMeetingDetails(meeting, lookup);
  const card = toShareCard(details);
  return {
    meeting: details,
    url,
    shareImage: describeShareImage(app.site, { kind: "meetings", id: meeting.id, card }),
  };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { site } = root.loaderData;
  const { meeting } = loaderData;
  const { id, title, excerpt, isSample, hasDetails, dateLine } = meeting;
  const path = meetingPath(id);
  const head = pageMeta(site, {
    title: `${title}, ${dateLine}`,
    description: excerpt,
    path,
    index: !isSample && hasDetails,
    image: loaderData.shareImage,
  });
  // Search engines present structured data as facts, but a sample does not take place.
  if (isSample || !import.meta.env.SSR) return head;
  const facts = { ...meeting, path, free: true, price: null, image: null };
  const parent = { name: "Public Meetings", path: meetingsPath };
  return [...head, eventData(site, facts), breadcrumbData(site, parent, { name: title, path })];
}

export default function MeetingRoute({ loaderData }: Route.ComponentProps) {
  return <MeetingPage meeting={loaderData.meeting} url={loaderData.url} />;
}
