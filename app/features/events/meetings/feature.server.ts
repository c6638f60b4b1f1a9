import { listSamples } from "../../../platform/city.ts";
import type { Feature } from "../../../platform/feature.ts";
import { checkMeetingLink } from "../checks.server.ts";
import { meetingDocuments, meetingShareCards, meetingSitemap } from "../documents.server.ts";
import { meetingSourceHealth, refreshMeetings } from "../import/sources.server.ts";
import { deleteOldEvents } from "../import/store.server.ts";
import { currentEvents } from "../listing/current.server.ts";
import { meetingsFile, meetingsFolder } from "./files.server.ts";
import { meetingsPath } from "./model.ts";

const noSource = {
  file: meetingsFile.path,
  at: null,
  message: "imports no public meetings.",
  fix: "Add the calendars of the city council and other bodies: docs/operations.md.",
  isOptional: true,
};

/**
 * Public meetings of the city's councils, boards and commissions. A city without events has them too,
 * so what both share is declared here.
 */
export const meetings: Feature = {
  name: "meetings",
  files: [meetingsFile, meetingsFolder],
  launch: (site) => [
    ...listSamples(meetingsFolder.folder, site.readAll(meetingsFolder)),
    ...(site.read(meetingsFile).sources.length > 0 ? [] : [noSource]),
  ],
  checkLink: checkMeetingLink,
  documents: { list: meetingDocuments },
  shareCards: meetingShareCards,
  sitemap: meetingSitemap,
  sources: {
    about: "meetings",
    health: meetingSourceHealth,
    fix: "Open /status to see which ones fail.",
  },
  pages(site) {
    const { title, description, intro, bodies } = site.read(meetingsFile);
    return {
      [meetingsPath]: {
        title,
        summary: description,
        body: intro,
        aliases: ["Agendas", "Minutes", "Hearings", ...bodies.map(({ name }) => name)],
      },
    };
  },
  sharedReads: ({ clock }) => [currentEvents(clock())],
  jobs: [{ name: "meetings", cron: "* * * * *", run: refreshMeetings }],
  retention: { calendarEvents: ({ db, clock }) => deleteOldEvents(db, clock) },
};
