import { asc, eq, gte } from "drizzle-orm";
import type { SharedRead } from "../../../../db/shared-reads.ts";
import { daysBefore } from "../../../lib/dates.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { notesOf } from "../../file-notes/notes.server.ts";
import { calendarEvents } from "../import/schema.server.ts";
import type { StoredEvent } from "../import/store.server.ts";
import { eventSubmissions } from "../schema.server.ts";
import { type EventRow, listApprovedEvents } from "../submissions.server.ts";

/**
 * Enough for the last month of the month view, and for the minutes of recent meetings. Only the pages
 * of earlier events need others.
 */
const cachedDaysBack = 62;
/** At about 1 KB per event, this takes about 20 MB of memory. */
const maxCached = 20_000;

/** The coming events and meetings of the database, and those that ended a short time ago. */
export type CurrentEvents = {
  stored: StoredEvent[];
  submitted: EventRow[];
  /** The sources that have any event, past or upcoming. */
  sources: ReadonlySet<string>;
  /** Whether readers or the desk have any approved event, past or upcoming. */
  hasSubmitted: boolean;
  /** The ids of files and imported events that an editor took down. */
  down: ReadonlySet<string>;
};

/** What pages show if the events cannot be read: only those of files. */
export const noEvents: CurrentEvents = {
  stored: [],
  submitted: [],
  sources: new Set(),
  hasSubmitted: false,
  down: new Set(),
};

export const currentEvents = (now: Date): SharedRead<CurrentEvents> => ({
  name: "events",
  tags: [cacheTags.events],
  async load(db) {
    const from = daysBefore(now, cachedDaysBack);
    const { source, startsAt, endsAt, id } = calendarEvents;
    const [stored, sources, submitted, anySubmitted, notes] = await Promise.all([
      db
        .select()
        .from(calendarEvents)
        .where(gte(endsAt, from))
        .orderBy(asc(startsAt), asc(id))
        .limit(maxCached),
      db.selectDistinct({ source }).from(calendarEvents),
      listApprovedEvents(db, from),
      db
        .select({ id: eventSubmissions.id })
        .from(eventSubmissions)
        .where(eq(eventSubmissions.state, "approved"))
        .limit(1),
      notesOf("event").load(db),
    ]);
    const down = new Set([...notes].flatMap(([id, { isDown }]) => (isDown ? id : [])));
    return {
      stored: stored.filter((event) => !down.has(event.id)),
      submitted,
      sources: new Set(sources.map((row) => row.source)),
      hasSubmitted: anySubmitted.length > 0,
      down,
    };
  },
});
