import { and, eq, gt, gte, inArray, lt, ne, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import { cacheTags, purgePages } from "../../../platform/tags.ts";
import type { Window } from "./expand-rule.server.ts";
import type { Occurrence } from "./expand-series.server.ts";
import { calendarEvents } from "./schema.server.ts";

/** What an editor has brought in by hand, beside the calendars that are asked by the clock. */
export const importedSource = "imported";

/** How long an event stays on record after it is over. */
export const eventRetentionDays = 365;

export type StoredEvent = typeof calendarEvents.$inferSelect;

const rowsPerStatement = 200;

/**
 * Keeps what a calendar says now. What it no longer names and has not begun is gone; what has been
 * stays on record. `isWhole` is false for a calendar of which only a part was read: what is missing
 * may just not have been reached.
 */
export async function storeOccurrences(
  db: Database,
  { source, now, isWhole }: { source: string; now: Date; isWhole: boolean },
  occurrences: Occurrence[],
): Promise<void> {
  await db.transaction(async (tx) => {
    for (let start = 0; start < occurrences.length; start += rowsPerStatement) {
      const rows = occurrences
        .slice(start, start + rowsPerStatement)
        .map((occurrence) => ({ ...occurrence, source, seenAt: now }));
      await tx
        .insert(calendarEvents)
        .values(rows)
        .onConflictDoUpdate({
          target: [calendarEvents.source, calendarEvents.id],
          set: updatedColumns,
        });
    }
    if (isWhole)
      await tx
        .delete(calendarEvents)
        .where(
          and(
            eq(calendarEvents.source, source),
            lt(calendarEvents.seenAt, now),
            gt(calendarEvents.startsAt, now),
          ),
        );
    await purgePages(tx, [cacheTags.events]);
  });
}

/** All that a calendar may change of an event it has named before. */
const updatableColumns = [
  ...(["series", "title", "description", "location", "url", "categories"] as const),
  ...(["startsAt", "endsAt", "allDay", "cancelled", "seenAt"] as const),
];
const updatedColumns = Object.fromEntries(
  updatableColumns.map((column) => [column, sql`excluded.${sql.identifier(column)}`]),
);

/** What these calendars have within a window. */
export function storedEvents(
  db: Database,
  sources: string[],
  { from, until }: Window,
): Promise<StoredEvent[]> {
  const { source, startsAt, endsAt, id } = calendarEvents;
  return db
    .select()
    .from(calendarEvents)
    .where(and(inArray(source, sources), gte(endsAt, from), lt(startsAt, until)))
    .orderBy(startsAt, id);
}

/** The dates of an event's series that are still to come, without its own. */
export function otherDates(db: Database, event: StoredEvent, now: Date): Promise<StoredEvent[]> {
  const { source, series, id, startsAt, cancelled } = calendarEvents;
  return db
    .select()
    .from(calendarEvents)
    .where(
      and(
        ...[eq(source, event.source), eq(series, event.series), ne(id, event.id)],
        eq(cancelled, false),
        gte(startsAt, now),
      ),
    )
    .orderBy(startsAt)
    .limit(20);
}

export function storedEventsById(
  db: Database,
  sources: string[],
  id: string,
): Promise<StoredEvent[]> {
  return db
    .select()
    .from(calendarEvents)
    .where(and(inArray(calendarEvents.source, sources), eq(calendarEvents.id, id)));
}

/** Takes an event that was brought in by hand off the site; says whether there was one. */
export async function deleteImportedEvent(db: Database, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const gone = await tx
      .delete(calendarEvents)
      .where(and(eq(calendarEvents.source, importedSource), eq(calendarEvents.id, id)))
      .returning({ id: calendarEvents.id });
    if (gone.length > 0) await purgePages(tx, [cacheTags.events]);
    return gone.length > 0;
  });
}

export async function deleteOldEvents(db: Database, clock: Clock): Promise<number> {
  const gone = await db
    .delete(calendarEvents)
    .where(lt(calendarEvents.endsAt, daysBefore(clock(), eventRetentionDays)))
    .returning({ id: calendarEvents.id });
  return gone.length;
}
