import type { Database } from "../../../../db/database.ts";
import {
  createSourceMetrics,
  type SourceHealth,
} from "../../../lib/external/source-visits.server.ts";
import type { MetricGroup } from "../../../lib/metrics.ts";
import type { Services } from "../../../platform/services.ts";
import { readCalendarInWorker } from "../../calendars/read/worker-task.server.ts";
import {
  type DateSource,
  readVisitHealth,
  toUnreadable,
  type VisitServices,
  visitSources,
} from "../../calendars/visits.server.ts";
import { storeOccurrences } from "./store.server.ts";

/** Visits the calendars that are due, and stores their events. */
export const refreshCalendars = (services: VisitServices, sources: DateSource[]): Promise<void> =>
  visitSources(services, sources, {
    accept: "text/calendar, text/plain;q=0.5, */*;q=0.1",
    async store(source, body, now) {
      const { db, runInWorker, timeZone } = services;
      const calendar = await readCalendarInWorker(runInWorker, body, { now, timeZone });
      if (calendar.kind === "failed") return calendar;
      if (calendar.kind === "not-a-calendar") return toUnreadable("the response is not a calendar");
      const { occurrences, broken, isCut } = calendar;
      await storeOccurrences(db, { source: source.id, now, isComplete: !isCut }, occurrences);
      return { kind: "stored", items: occurrences.length, broken };
    },
  });

export const calendarHealth = (db: Database, sources: DateSource[]): Promise<SourceHealth[]> =>
  readVisitHealth(db, sources, "events");

export const calendarMetrics = (
  { db, clock }: Pick<Services, "db" | "clock">,
  sources: () => DateSource[],
): MetricGroup => ({
  name: "calendars",
  read: async () => createSourceMetrics("calendar", await calendarHealth(db, sources()), clock()),
});
