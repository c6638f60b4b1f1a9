import { and, desc, eq } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { findRow, lockRow } from "../../../../db/rows.ts";
import { stripControlCharacters } from "../../../lib/text/plain-text.ts";
import { cacheTags, purge } from "../../../platform/tags.ts";
import { calendarEvents as events } from "../import/schema.server.ts";
import { type SourceEvent, type StoredEvent, storeEvents } from "../import/store.server.ts";

/** The source of meetings that editors write. The ids of other sources have no spaces. */
export const ownSource = "own meetings";

const maxListed = 500;

const isOwn = (id: string) =>
  and(eq(events.source, ownSource), eq(events.id, stripControlCharacters(id)));

export const listOwnMeetings = (db: Database): Promise<StoredEvent[]> =>
  db
    .select()
    .from(events)
    .where(eq(events.source, ownSource))
    .orderBy(desc(events.startsAt), desc(events.id))
    .limit(maxListed);

export const findOwnMeeting = (db: Database, id: string): Promise<StoredEvent | null> =>
  findRow(db, events, isOwn(id));

export const lockOwnMeeting = (tx: Database, id: string): Promise<StoredEvent | null> =>
  lockRow(tx, events, isOwn(id));

/**
 * Adds or changes a meeting. Readers see where the meeting was moved from, unless `isCorrection`
 * says that the earlier time or place was a mistake.
 */
export async function writeOwnMeeting(
  tx: Database,
  now: Date,
  meeting: SourceEvent,
  isCorrection = false,
): Promise<void> {
  await storeEvents(tx, { source: ownSource, now, isComplete: false }, [meeting]);
  if (isCorrection)
    await tx.update(events).set({ movedFrom: null, movedFromRoom: null }).where(isOwn(meeting.id));
}

export async function deleteOwnMeeting(tx: Database, id: string): Promise<void> {
  await tx.delete(events).where(isOwn(id));
  await purge(tx, [cacheTags.events]);
}
