import type { Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import {
  readVisitHealth,
  type VisitServices,
  visitSource,
} from "../../sources/visit-source.server.ts";
import type { Occurrence } from "../calendars/read/expand-series.server.ts";
import { eventsFile } from "../files.server.ts";
import { type MeetingSource, meetingsFile } from "../meetings/files.server.ts";
import {
  hasVisibleName,
  isCanceledText,
  toLegistarUrl,
  withoutCanceled,
} from "./legistar.server.ts";
import { type SourceEvent, storeEvents } from "./store.server.ts";
import { calendarVisits, datesPace, legistarTask, maxDatesBytes } from "./tasks.server.ts";

/** Visits the calendars that are due, one after the other, and stores their events. */
export async function refreshCalendars(services: VisitServices): Promise<void> {
  for (const source of services.site.read(eventsFile).sources)
    await visitCalendar(services, source, (occurrences) => occurrences);
}

/** Visits the sources of meetings that are due, one after the other, and stores their meetings. */
export async function refreshMeetings(services: VisitServices): Promise<void> {
  const { site, clock } = services;
  const { timeZone } = site.read(siteSettingsFile);
  for (const source of site.read(meetingsFile).sources) {
    const { id, url } = toMeetingSource(source);
    const now = clock();
    if (source.legistar === undefined) await visitCalendar(services, { id, url }, toMeetings);
    else
      await visitSource(services, {
        id,
        url,
        requestUrl: toLegistarUrl(source.legistar, now, timeZone),
        accept: "application/json, */*;q=0.1",
        maxBytes: maxDatesBytes,
        pace: datesPace,
        task: legistarTask,
        input: { sourceId: source.id, now, timeZone },
        expected: "a list of Legistar events that we can read",
        countItems: ({ meetings }) => meetings.length,
        store: (tx, { meetings, isCut }, now) =>
          storeEvents(tx, { source: id, now, isComplete: !isCut }, meetings),
      });
  }
}

/** Sources of events may have the same id. */
export const toMeetingSource = ({ id, name, legistar, calendar }: MeetingSource) => ({
  id: `meetings:${id}`,
  name,
  url: legistar ?? calendar ?? "",
  sections: ["meetings"],
});

async function visitCalendar(
  services: VisitServices,
  { id, url }: { id: string; url: string },
  select: (occurrences: Occurrence[]) => SourceEvent[],
): Promise<void> {
  const { timeZone } = services.site.read(siteSettingsFile);
  await visitSource(services, {
    ...calendarVisits,
    id,
    url,
    input: { now: services.clock(), timeZone },
    countItems: ({ occurrences }) => select(occurrences).length,
    store: (tx, { occurrences, isCut }, now) =>
      storeEvents(tx, { source: id, now, isComplete: !isCut }, select(occurrences)),
  });
}

/** A later end of a meeting is a mistake. */
const maxLengthMs = 31 * 24 * 60 * 60_000;

const toMeetings = (occurrences: Occurrence[]): SourceEvent[] =>
  occurrences
    .map((occurrence) => {
      const { title, startsAt, endsAt, cancelled } = occurrence;
      return {
        ...occurrence,
        title: withoutCanceled(title),
        endsAt: endsAt.getTime() - startsAt.getTime() > maxLengthMs ? startsAt : endsAt,
        cancelled: cancelled || isCanceledText(title),
      };
    })
    .filter(({ title }) => hasVisibleName(title));

export const calendarHealth = ({ db, site }: Pick<Services, "db" | "site">) =>
  readVisitHealth(
    db,
    site.read(eventsFile).sources.map((source) => ({ ...source, sections: ["events"] })),
  );

export const meetingSourceHealth = ({ db, site }: Pick<Services, "db" | "site">) =>
  readVisitHealth(db, site.read(meetingsFile).sources.map(toMeetingSource));
