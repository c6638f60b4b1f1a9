import type { Database } from "../../../../db/database.ts";
import type { SourceHealth } from "../../../lib/external/source-visits.server.ts";
import type { Occurrence } from "../../calendars/read/expand-series.server.ts";
import { readCalendarInWorker } from "../../calendars/read/worker-task.server.ts";
import {
  readVisitHealth,
  toUnreadable,
  type VisitServices,
  visitSources,
} from "../../calendars/visits.server.ts";
import type { MeetingSource } from "../files.server.ts";
import { toLegistarUrl } from "./legistar.server.ts";
import {
  hasVisibleName,
  isCanceledText,
  type SourceMeeting,
  toWebUrl,
  withoutCanceled,
} from "./source-meeting.ts";
import { storeMeetings } from "./store.server.ts";
import { readLegistarInWorker } from "./worker-task.server.ts";

/** Visits are remembered in one table with those of events, where other sources may have the id. */
const toVisited = (source: MeetingSource) => ({
  ...source,
  sourceId: source.id,
  id: `meetings:${source.id}`,
  url: source.legistar ?? source.calendar ?? "",
});

/** Visits the sources that are due, and stores their meetings. */
export const refreshMeetings = (services: VisitServices, sources: MeetingSource[]): Promise<void> =>
  visitSources(services, sources.map(toVisited), {
    accept: "application/json, text/calendar;q=0.9, text/plain;q=0.5, */*;q=0.1",
    requestUrl: ({ legistar, url }, now) =>
      legistar === undefined ? url : toLegistarUrl(legistar, now, services.timeZone),
    async store({ sourceId, legistar }, body, now) {
      const read = legistar === undefined ? readCalendarMeetings : readLegistarMeetings;
      const result = await read(services, sourceId, body, now);
      if ("cause" in result) return result;
      const { meetings, broken, isCut } = result;
      const source = { source: sourceId, now, isComplete: !isCut };
      await storeMeetings(services.db, source, meetings);
      return { kind: "stored", items: meetings.length, broken };
    },
  });

async function readLegistarMeetings(
  { runInWorker, timeZone }: VisitServices,
  sourceId: string,
  body: Uint8Array,
  now: Date,
) {
  const result = await readLegistarInWorker(runInWorker, body, { sourceId, now, timeZone });
  return result.kind === "not-legistar"
    ? toUnreadable("the response is not a list of Legistar events that we can read")
    : result;
}

async function readCalendarMeetings(
  { runInWorker, timeZone }: VisitServices,
  _sourceId: string,
  body: Uint8Array,
  now: Date,
) {
  const calendar = await readCalendarInWorker(runInWorker, body, { now, timeZone });
  if (calendar.kind === "failed") return calendar;
  if (calendar.kind === "not-a-calendar") return toUnreadable("the response is not a calendar");
  const { occurrences, broken, isCut } = calendar;
  return { meetings: occurrences.map(fromOccurrence).filter(hasVisibleName), broken, isCut };
}

const dayMs = 24 * 60 * 60_000;
/** A later end is a mistake. Only a meeting without a time, such as a hearing, lasts for days. */
const maxDays = { timed: 1, allDay: 31 };

function fixEnd({ startsAt, endsAt, allDay }: Occurrence): Date {
  const days = (endsAt.getTime() - startsAt.getTime()) / dayMs;
  if (days <= (allDay ? maxDays.allDay : maxDays.timed)) return endsAt;
  return allDay ? new Date(startsAt.getTime() + dayMs) : startsAt;
}

const fromOccurrence = (occurrence: Occurrence): SourceMeeting => {
  const { id, title, description, location, url, startsAt, allDay, cancelled } = occurrence;
  return {
    id,
    name: withoutCanceled(title),
    text: description,
    location,
    startsAt,
    endsAt: fixEnd(occurrence),
    allDay,
    agenda: "",
    minutes: "",
    video: "",
    link: toWebUrl(url),
    canceled: cancelled || isCanceledText(title),
  };
};

export const meetingSourceHealth = (
  db: Database,
  sources: MeetingSource[],
): Promise<SourceHealth[]> => readVisitHealth(db, sources.map(toVisited), "meetings");
