import type { Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { Occurrence } from "../../calendars/read/expand-series.server.ts";
import { calendarVisits, datesPace, maxDatesBytes } from "../../calendars/tasks.server.ts";
import {
  readVisitHealth,
  type VisitServices,
  visitSource,
} from "../../sources/visit-source.server.ts";
import { type MeetingSource, meetingsFile } from "../files.server.ts";
import { legistarTask } from "../tasks.server.ts";
import { toLegistarUrl } from "./legistar.server.ts";
import {
  hasVisibleName,
  isCanceledText,
  type SourceMeeting,
  toWebUrl,
  withoutCanceled,
} from "./source-meeting.ts";
import { storeMeetings } from "./store.server.ts";

/** Sources of events may have the same id. */
const toVisited = ({ id, name, legistar, calendar }: MeetingSource) => ({
  id: `meetings:${id}`,
  name,
  url: legistar ?? calendar ?? "",
});

/** Visits the sources that are due, one after the other, and stores their meetings. */
export async function refreshMeetings(services: VisitServices): Promise<void> {
  const { site, clock } = services;
  const { timeZone } = site.read(siteSettingsFile);
  for (const source of site.read(meetingsFile).sources) {
    const { id: sourceId, legistar } = source;
    const { id, url } = toVisited(source);
    const now = clock();
    if (legistar === undefined)
      await visitSource(services, {
        ...calendarVisits,
        id,
        url,
        input: { now, timeZone },
        countItems: (calendar) => toMeetings(calendar).length,
        store: (tx, calendar, now) =>
          storeMeetings(
            tx,
            { source: sourceId, now, isComplete: !calendar.isCut },
            toMeetings(calendar),
          ),
      });
    else
      await visitSource(services, {
        id,
        url,
        requestUrl: toLegistarUrl(legistar, now, timeZone),
        accept: "application/json, */*;q=0.1",
        maxBytes: maxDatesBytes,
        pace: datesPace,
        task: legistarTask,
        input: { sourceId, now, timeZone },
        expected: "a list of Legistar events that we can read",
        countItems: ({ meetings }) => meetings.length,
        store: (tx, { meetings, isCut }, now) =>
          storeMeetings(tx, { source: sourceId, now, isComplete: !isCut }, meetings),
      });
  }
}

const toMeetings = ({ occurrences }: { occurrences: Occurrence[] }) =>
  occurrences.map(fromOccurrence).filter(hasVisibleName);

/** A later end is a mistake. */
const maxLengthMs = 31 * 24 * 60 * 60_000;

const fromOccurrence = (occurrence: Occurrence): SourceMeeting => {
  const { id, title, description, location, url, startsAt, endsAt, allDay, cancelled } = occurrence;
  return {
    id,
    name: withoutCanceled(title),
    text: description,
    location,
    startsAt,
    endsAt: endsAt.getTime() - startsAt.getTime() > maxLengthMs ? startsAt : endsAt,
    allDay,
    agenda: "",
    minutes: "",
    video: "",
    link: toWebUrl(url),
    canceled: cancelled || isCanceledText(title),
  };
};

export const meetingSourceHealth = ({ db, site }: Pick<Services, "db" | "site">) =>
  readVisitHealth(db, site.read(meetingsFile).sources.map(toVisited), "meetings");
