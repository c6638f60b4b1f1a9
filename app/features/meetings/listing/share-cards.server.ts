import { noPage } from "../../../platform/services.ts";
import type { ShareCard, ShareCardSource } from "../../../platform/share-card.ts";
import type { MeetingDetails } from "../model.ts";
import { toMeetingDetails } from "./describe.server.ts";
import { createMeetingLookup, findMeeting } from "./gather.server.ts";

/** What the share image of a meeting shows. */
export const toShareCard = (meeting: MeetingDetails): ShareCard => ({
  label: `Public meetings · ${meeting.bodyName}`,
  title: meeting.title,
  lines: [meeting.dateLine, meeting.timeLine, meeting.location].filter((line) => line !== ""),
  image: null,
  mark: meeting.isCanceled ? "Canceled" : meeting.isSample ? "Sample" : null,
  dateTile: null,
});

export const meetingShareCards: ShareCardSource = {
  kind: "meetings",
  async find(services, id) {
    const lookup = createMeetingLookup({ ...services, ...noPage });
    const meeting = await findMeeting(lookup, id);
    return meeting && toShareCard(toMeetingDetails(meeting, lookup));
  },
};
