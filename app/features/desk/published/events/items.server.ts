import { and, asc, gte, inArray, sql } from "drizzle-orm";
import type { Database } from "../../../../../db/database.ts";
import { siteSettingsFile } from "../../../brand/files.server.ts";
import { everPublishedStates } from "../../../events/desk-events.server.ts";
import { eventsFolder } from "../../../events/files.server.ts";
import { calendarEvents } from "../../../events/import/schema.server.ts";
import { nextDate } from "../../../events/listing/file-events.server.ts";
import { eventSubmissions } from "../../../events/schema.server.ts";
import type { EventRow } from "../../../events/submissions.server.ts";
import { readFileNotes } from "../../../file-notes/notes.server.ts";
import type { PublishedKind } from "../kind.ts";
import type { ItemState } from "../model.ts";

export const toFileName = (id: string) => `${eventsFolder.folder}/${id}.md`;

/** Null for an event that waits or was rejected. */
export const eventStates: Record<EventRow["state"], ItemState | null> = {
  approved: "published",
  down: "down",
  draft: "draft",
  waiting: null,
  rejected: null,
};

export const describeOrigin = ({ origin }: Pick<EventRow, "origin">) =>
  origin === "reader" ? "From a reader" : "From the desk";

/**
 * The events of the newsroom and of readers, and those of other calendars that an editor searches
 * for.
 */
export const listEvents: PublishedKind["list"] = async ({ db, site, clock }, words) => {
  const submissions = await db
    .select()
    .from(eventSubmissions)
    .where(inArray(eventSubmissions.state, everPublishedStates));
  const rows = submissions.map((row) => ({
    ...row,
    announcedAt: row.decidedAt ?? row.createdAt,
    state: eventStates[row.state] ?? "draft",
    from: describeOrigin(row),
  }));
  const notes = await readFileNotes(db, "event");
  const toState = (id: string): ItemState => (notes.get(id)?.isDown ? "down" : "published");
  const { timeZone } = site.read(siteSettingsFile);
  const files = site.readAll(eventsFolder).flatMap((record) => {
    const event = nextDate(record, clock(), timeZone)?.event;
    if (!event) return [];
    return [{ ...event, announcedAt: null, state: toState(event.id), from: toFileName(event.id) }];
  });
  const imported = await findImported(db, words, clock());
  const calendars = imported.map((event) => ({
    ...event,
    announcedAt: null,
    state: toState(event.id),
    from: "From a calendar",
  }));
  return [...rows, ...files, ...calendars].map(
    ({ id, title, startsAt: at, announcedAt, state, from }) => ({
      kind: "event" as const,
      id,
      title,
      at,
      announcedAt,
      state,
      isPinned: false,
      from,
    }),
  );
};

/** Calendars have thousands of events. */
const maxImported = 200;

/** The events of other calendars that are not over and have all of these words in their titles. */
async function findImported(db: Database, words: string[], now: Date) {
  if (words.length === 0) return [];
  const { id, title, startsAt, endsAt } = calendarEvents;
  return db
    .selectDistinctOn([startsAt, id], { id, title, startsAt })
    .from(calendarEvents)
    .where(and(gte(endsAt, now), ...words.map((word) => sql`strpos(lower(${title}), ${word}) > 0`)))
    .orderBy(asc(startsAt), asc(id))
    .limit(maxImported);
}
