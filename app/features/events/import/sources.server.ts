import type { Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { calendarVisits } from "../../calendars/tasks.server.ts";
import {
  readVisitHealth,
  type VisitServices,
  visitSource,
} from "../../sources/visit-source.server.ts";
import { eventsFile } from "../files.server.ts";
import { storeOccurrences } from "./store.server.ts";

/** Visits the calendars that are due, one after the other, and stores their events. */
export async function refreshCalendars(services: VisitServices): Promise<void> {
  const { site, clock } = services;
  const { timeZone } = site.read(siteSettingsFile);
  for (const { id, url } of site.read(eventsFile).sources)
    await visitSource(services, {
      ...calendarVisits,
      id,
      url,
      input: { now: clock(), timeZone },
      countItems: ({ occurrences }) => occurrences.length,
      store: (tx, { occurrences, isCut }, now) =>
        storeOccurrences(tx, { source: id, now, isComplete: !isCut }, occurrences),
    });
}

export const calendarHealth = ({ db, site }: Pick<Services, "db" | "site">) =>
  readVisitHealth(db, site.read(eventsFile).sources, "events");
