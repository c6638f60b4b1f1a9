import { and, eq, getTableColumns, gt, gte, inArray, lt } from "drizzle-orm";
import { overwrite } from "../../../../db/bulk.ts";
import type { Database } from "../../../../db/database.ts";
import { deleteRows } from "../../../../db/rows.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import { cacheTags, purge } from "../../../platform/tags.ts";
import type { Occurrence } from "../../calendars/read/expand-series.server.ts";
import type { Window } from "../../calendars/recurrence/expand-rule.server.ts";
import { calendarEvents } from "./schema.server.ts";

/** The source of events that an editor imported from a file. Others are imported on a schedule. */
export const importedSource = "imported";

/** How long an event is stored after it is over. */
export const eventRetentionDays = 365;

export type StoredEvent = typeof calendarEvents.$inferSelect;

const rowsPerStatement = 200;

/**
 * Stores the dates of a calendar. Upcoming dates that the calendar no longer has are deleted, and
 * past dates stay. If `isComplete` is false, only part of the calendar was read, so nothing is
 * deleted: missing dates may be in the other part.
 */
export async function storeOccurrences(
  tx: Database,
  { source, now, isComplete }: { source: string; now: Date; isComplete: boolean },
  occurrences: Occurrence[],
): Promise<void> {
  for (let start = 0; start < occurrences.length; start += rowsPerStatement) {
    const rows = occurrences
      .slice(start, start + rowsPerStatement)
      .map((occurrence) => ({ ...occurrence, source, seenAt: now }));
    await tx
      .insert(calendarEvents)
      .values(rows)
      .onConflictDoUpdate({
        target: [calendarEvents.source, calendarEvents.id],
        set: overwrite(updatableColumns),
      });
  }
  if (isComplete)
    await tx
      .delete(calendarEvents)
      .where(
        and(
          eq(calendarEvents.source, source),
          lt(calendarEvents.seenAt, now),
          gt(calendarEvents.startsAt, now),
        ),
      );
  await purge(tx, [cacheTags.events]);
}

/** What a calendar may change in an event that is already stored. */
const { source: _source, id: _id, ...updatableColumns } = getTableColumns(calendarEvents);

export function findStoredEvents(db: Database, sources: string[], { from, until }: Window) {
  const { source, startsAt, endsAt, id } = calendarEvents;
  return db
    .select()
    .from(calendarEvents)
    .where(and(inArray(source, sources), gte(endsAt, from), lt(startsAt, until)))
    .orderBy(startsAt, id);
}

export function findStoredEventsById(db: Database, sources: string[], id: string) {
  return db
    .select()
    .from(calendarEvents)
    .where(and(inArray(calendarEvents.source, sources), eq(calendarEvents.id, id)));
}

/** Returns which of these events exist, and whether their calendar has canceled them. */
export const findCancellations = (db: Database, sources: string[], ids: string[]) =>
  db
    .select({ id: calendarEvents.id, cancelled: calendarEvents.cancelled })
    .from(calendarEvents)
    .where(and(inArray(calendarEvents.source, sources), inArray(calendarEvents.id, ids)));

export async function deleteImportedEvent(db: Database, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isWanted = and(eq(calendarEvents.source, importedSource), eq(calendarEvents.id, id));
    const count = await deleteRows(tx, calendarEvents, isWanted);
    if (count > 0) await purge(tx, [cacheTags.events]);
    return count > 0;
  });
}

export const deleteOldEvents = (db: Database, clock: Clock): Promise<number> =>
  deleteRows(
    db,
    calendarEvents,
    lt(calendarEvents.endsAt, daysBefore(clock(), eventRetentionDays)),
  );
