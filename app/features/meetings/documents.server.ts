import type { SearchDocument } from "../../platform/search-document.ts";
import { noPage, type PageServices, type Services } from "../../platform/services.ts";
import type { ShareCard, ShareCardSource } from "../../platform/share-card.ts";
import type { SitemapSource } from "../../platform/sitemap.ts";
import { type MeetingDetails, toMeetingDetails } from "./listing/describe.server.ts";
import { createMeetingLookup, findMeeting, listMeetings } from "./listing/gather.server.ts";
import { meetingCategory, meetingPath } from "./model.ts";

export async function meetingDocuments(services: Services): Promise<SearchDocument[]> {
  const lookup = createMeetingLookup({ ...services, ...noPage });
  return (await listMeetings(lookup)).map((meeting): SearchDocument => {
    const { id, title, bodyName, dateLine, timeLine, location, text, html, howToSpeak, isSample } =
      toMeetingDetails(meeting, lookup);
    return {
      id: `meeting:${id}`,
      kind: "event",
      link: meetingPath(id),
      title,
      detail: [dateLine, location].filter(Boolean).join(" · "),
      summary: `${bodyName}, ${dateLine}, ${timeLine}`,
      ...(html === null
        ? { body: [text, howToSpeak?.text].filter(Boolean).join("\n") }
        : { source: { format: "html", text: html } }),
      keywords: meetingCategory,
      at: meeting.startsAt,
      isSample,
    };
  });
}

/** The meetings about which there is more to read than a date. No samples. */
export const meetingSitemap: SitemapSource = {
  async pages(services: PageServices) {
    const lookup = createMeetingLookup(services);
    return (await listMeetings(lookup))
      .filter((meeting) => !meeting.isSample && toMeetingDetails(meeting, lookup).hasDetails)
      .map(({ id, changedAt }) => ({ path: meetingPath(encodeURIComponent(id)), changedAt }));
  },
};

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
    const lookup = createMeetingLookup(services);
    const meeting = await findMeeting(lookup, id);
    return meeting && toShareCard(toMeetingDetails(meeting, lookup));
  },
};
