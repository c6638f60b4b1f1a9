import { listSamples } from "../../platform/city.ts";
import type { Feature } from "../../platform/feature.ts";
import { createNoteCheck, followRenames } from "../file-notes/notes.server.ts";
import { checkCategories, checkEventLink, checkWall } from "./checks.server.ts";
import { eventDocuments, eventShareCards, eventSitemap } from "./documents.server.ts";
import { eventsFile, eventsFolder } from "./files.server.ts";
import { calendarHealth, refreshCalendars } from "./import/sources.server.ts";
import { issueEvents } from "./issue.server.ts";
import { submitEventPath } from "./model.ts";
import { deleteOldSubmissions, eventLimit } from "./submissions.server.ts";

const noCalendar = {
  file: eventsFile.path,
  at: ["sources"],
  message: "imports no calendar.",
  fix: "Add calendars of the library, the parks and the theaters.",
  isOptional: true,
};

export const events: Feature = {
  name: "events",
  part: "events",
  limits: [eventLimit],
  sources: {
    about: "calendars",
    health: calendarHealth,
    fix: "Open /status to see which ones fail.",
  },
  files: [eventsFile, eventsFolder],
  launch: (site) => [
    ...listSamples(eventsFolder.folder, site.readAll(eventsFolder)),
    ...(site.read(eventsFile).sources.length > 0 ? [] : [noCalendar]),
  ],
  checks: [checkCategories, checkWall, createNoteCheck("event", eventsFolder)],
  onSiteChanged: followRenames("event", eventsFolder),
  checkLink: checkEventLink,
  documents: { list: eventDocuments },
  shareCards: eventShareCards,
  sitemap: eventSitemap,
  pages(site) {
    const { title, description, intro, submit } = site.read(eventsFile);
    return {
      "/events": { title, summary: description, body: intro },
      [submitEventPath]: {
        title: submit.title,
        summary: submit.description,
        body: submit.intro,
        isUnlisted: true,
      },
    };
  },
  newsletter: {
    section: "events",
    gather: issueEvents,
    more: { label: "See all events", path: "/events" },
  },
  jobs: [{ name: "calendars", cron: "* * * * *", run: refreshCalendars }],
  retention: { submittedEvents: ({ db, clock }) => deleteOldSubmissions(db, clock) },
};
