import { and, desc, eq } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { findRow, lockRow } from "../../../db/rows.ts";
import { stripControlCharacters } from "../../lib/text/plain-text.ts";
import { cacheTags, purge } from "../../platform/tags.ts";
import type { SourceMeeting } from "./import/source-meeting.ts";
import { type StoredMeeting, storeMeetings } from "./import/store.server.ts";
import { meetings } from "./schema.server.ts";

/** The source of meetings that editors write. The ids of other sources have no spaces. */
export const ownSource = "own meetings";

const maxListed = 500;

const isOwn = (id: string) =>
  and(eq(meetings.source, ownSource), eq(meetings.id, stripControlCharacters(id)));

export const listOwnMeetings = (db: Database): Promise<StoredMeeting[]> =>
  db
    .select()
    .from(meetings)
    .where(eq(meetings.source, ownSource))
    .orderBy(desc(meetings.startsAt), desc(meetings.id))
    .limit(maxListed);

export const findOwnMeeting = (db: Database, id: string): Promise<StoredMeeting | null> =>
  findRow(db, meetings, isOwn(id));

export const lockOwnMeeting = (tx: Database, id: string): Promise<StoredMeeting | null> =>
  lockRow(tx, meetings, isOwn(id));

/**
 * Adds or changes a meeting. Readers see where the meeting was moved from, unless `isCorrection`
 * says that the earlier time or place was a mistake.
 */
export async function writeOwnMeeting(
  tx: Database,
  now: Date,
  meeting: SourceMeeting,
  isCorrection = false,
): Promise<void> {
  await storeMeetings(tx, { source: ownSource, now, isComplete: false }, [meeting]);
  if (isCorrection)
    await tx
      .update(meetings)
      .set({ movedFrom: null, movedFromRoom: null })
      .where(isOwn(meeting.id));
}

export async function deleteOwnMeeting(tx: Database, id: string): Promise<void> {
  await tx.delete(meetings).where(isOwn(id));
  await purge(tx, [cacheTags.meetings]);
}
