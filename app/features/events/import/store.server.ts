import { and, eq, getTableColumns, gt, gte, inArray, lt, sql } from "drizzle-orm";
import { overwrite } from "../../../../db/bulk.ts";
import type { Database } from "../../../../db/database.ts";
import { deleteRows } from "../../../../db/rows.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import { cacheTags, purge } from "../../../platform/tags.ts";
import type { Window } from "../calendars/recurrence/expand-rule.server.ts";
import { calendarEvents } from "./schema.server.ts";

/** The source of events that an editor imported from a file. Others are imported on a schedule. */
export const importedSource = "imported";

/** How long an event is stored after it is over. */
export const eventRetentionDays = 365;

export type StoredEvent = typeof calendarEvents.$inferSelect;

/** What a source may change in an event that is already stored. */
const {
  source: _source,
  id: _id,
  movedFrom: _movedFrom,
  movedFromRoom: _movedFromRoom,
  firstSeenAt: _firstSeenAt,
  seenAt,
  changedAt: _changedAt,
  ...described
} = getTableColumns(calendarEvents);

/** One date of an event or a meeting, as a source or an editor describes it. */
export type SourceEvent = Pick<typeof calendarEvents.$inferInsert, "id" | keyof typeof described>;

const fresh = overwrite(described);
const isChanged = sql`(${sql.join(Object.values(described), sql`, `)}) is distinct from (${sql.join(Object.values(fresh), sql`, `)})`;

const { startsAt, allDay, location, movedFrom, movedFromRoom } = calendarEvents;

/**
 * A coming event with another start or another room was moved. A room that is only described more
 * or less precisely is the same room, and an event that has moved back counts as not moved.
 */
const moved = {
  movedFrom: sql`case
    when ${startsAt} = excluded."startsAt" or ${startsAt} < excluded."seenAt"
      or ${allDay} <> excluded."allDay" then ${movedFrom}
    when ${movedFrom} = excluded."startsAt" then null
    else coalesce(${movedFrom}, ${startsAt}) end`,
  movedFromRoom: sql`case
    when ${startsAt} < excluded."seenAt" or excluded."location" = ''
      or strpos(lower(excluded."location"), lower(${location})) > 0
      or strpos(lower(${location}), lower(excluded."location")) > 0
      then ${movedFromRoom}
    when ${movedFromRoom} = excluded."location" then null
    else coalesce(${movedFromRoom}, ${location}) end`,
};

const rowsPerStatement = 200;

/**
 * Stores the dates of a source. Coming dates that the source no longer has are deleted, and past
 * dates stay. If `isComplete` is false, only part of the source was read, so nothing is deleted:
 * missing dates may be in the other part.
 */
export async function storeEvents(
  tx: Database,
  { source, now, isComplete }: { source: string; now: Date; isComplete: boolean },
  list: SourceEvent[],
): Promise<void> {
  const byId = new Map(list.map((event) => [event.id, event]));
  const rows = [...byId.values()].map((event) => ({
    ...event,
    source,
    firstSeenAt: now,
    seenAt: now,
  }));
  for (let start = 0; start < rows.length; start += rowsPerStatement)
    await tx
      .insert(calendarEvents)
      .values(rows.slice(start, start + rowsPerStatement))
      .onConflictDoUpdate({
        target: [calendarEvents.source, calendarEvents.id],
        set: {
          ...fresh,
          ...moved,
          ...overwrite({ seenAt }),
          changedAt: sql`case when ${isChanged} then excluded."seenAt" else ${calendarEvents.changedAt} end`,
        },
      });
  if (isComplete)
    await tx
      .delete(calendarEvents)
      .where(and(eq(calendarEvents.source, source), lt(seenAt, now), gt(startsAt, now)));
  await purge(tx, [cacheTags.events]);
}

export function findStoredEvents(db: Database, sources: string[], { from, until }: Window) {
  const { source, endsAt, id } = calendarEvents;
  return db
    .select()
    .from(calendarEvents)
    .where(and(inArray(source, sources), gte(endsAt, from), lt(startsAt, until)))
    .orderBy(startsAt, id);
}

export const findStoredEventsById = (db: Database, sources: string[], ids: string[]) =>
  db
    .select()
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
