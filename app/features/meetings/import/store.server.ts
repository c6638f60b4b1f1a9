import { and, eq, getTableColumns, gt, inArray, lt, sql } from "drizzle-orm";
import { overwrite } from "../../../../db/bulk.ts";
import type { Database } from "../../../../db/database.ts";
import { deleteRows } from "../../../../db/rows.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import { cacheTags, purge } from "../../../platform/tags.ts";
import { meetings } from "../schema.server.ts";
import type { SourceMeeting } from "./source-meeting.ts";

const retentionDays = 365;
const rowsPerStatement = 200;

export type StoredMeeting = typeof meetings.$inferSelect;

/** What a source may change in a meeting that is already stored. */
const {
  source: _source,
  id: _id,
  movedFrom: _movedFrom,
  movedFromRoom: _movedFromRoom,
  firstSeenAt: _firstSeenAt,
  seenAt,
  changedAt: _changedAt,
  ...described
} = getTableColumns(meetings);

const fresh = overwrite(described);
const isChanged = sql`(${sql.join(Object.values(described), sql`, `)}) is distinct from (${sql.join(Object.values(fresh), sql`, `)})`;

/**
 * A coming meeting with another start or another room was moved. A room that is only described more
 * or less precisely is the same room, and a meeting that has moved back counts as not moved.
 */
const moved = {
  movedFrom: sql`case
    when ${meetings.startsAt} = excluded."startsAt" or ${meetings.startsAt} < excluded."seenAt"
      or ${meetings.allDay} <> excluded."allDay" then ${meetings.movedFrom}
    when ${meetings.movedFrom} = excluded."startsAt" then null
    else coalesce(${meetings.movedFrom}, ${meetings.startsAt}) end`,
  movedFromRoom: sql`case
    when ${meetings.startsAt} < excluded."seenAt" or excluded."location" = ''
      or strpos(lower(excluded."location"), lower(${meetings.location})) > 0
      or strpos(lower(${meetings.location}), lower(excluded."location")) > 0
      then ${meetings.movedFromRoom}
    when ${meetings.movedFromRoom} = excluded."location" then null
    else coalesce(${meetings.movedFromRoom}, ${meetings.location}) end`,
};

/**
 * Stores the meetings of a source. Coming meetings that the source no longer has are deleted, and
 * past meetings stay. If `isComplete` is false, only part of the source was read, so nothing is
 * deleted.
 */
export async function storeMeetings(
  tx: Database,
  { source, now, isComplete }: { source: string; now: Date; isComplete: boolean },
  list: SourceMeeting[],
): Promise<void> {
  const byId = new Map(list.map((meeting) => [meeting.id, meeting]));
  const rows = [...byId.values()].map((meeting) => ({
    ...meeting,
    source,
    firstSeenAt: now,
    seenAt: now,
  }));
  for (let start = 0; start < rows.length; start += rowsPerStatement)
    await tx
      .insert(meetings)
      .values(rows.slice(start, start + rowsPerStatement))
      .onConflictDoUpdate({
        target: [meetings.source, meetings.id],
        set: {
          ...fresh,
          ...moved,
          ...overwrite({ seenAt }),
          changedAt: sql`case when ${isChanged} then excluded."seenAt" else ${meetings.changedAt} end`,
        },
      });
  if (isComplete)
    await tx
      .delete(meetings)
      .where(
        and(eq(meetings.source, source), lt(meetings.seenAt, now), gt(meetings.startsAt, now)),
      );
  await purge(tx, [cacheTags.meetings]);
}

export const findStoredMeeting = (db: Database, sources: string[], id: string) =>
  db
    .select()
    .from(meetings)
    .where(and(inArray(meetings.source, sources), eq(meetings.id, id)));

export const deleteOldMeetings = (db: Database, clock: Clock): Promise<number> =>
  deleteRows(db, meetings, lt(meetings.endsAt, daysBefore(clock(), retentionDays)));
