import { and, desc, lt, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import type { Editor } from "../files.server.ts";
import { logRetentionDays } from "../model.ts";
import { deskLog } from "../schema.server.ts";

export type LogEntry = {
  action: string;
  kind: string;
  items?: string[];
  title: string;
  note?: string;
};

/** Writes down what an editor did, in the transaction in which it was done. Returns the line's id. */
export async function writeLog(
  tx: Database,
  clock: Clock,
  editor: Editor,
  { action, kind, items = [], title, note = "" }: LogEntry,
): Promise<string> {
  const id = crypto.randomUUID();
  await tx.insert(deskLog).values({
    id,
    at: clock(),
    editorName: editor.name,
    editor: editor.email,
    action,
    kind,
    items,
    title,
    note,
  });
  return id;
}

export type LoggedAction = typeof deskLog.$inferSelect;

/** What editors did, newest first. `before` is the time of the last entry on the page before. */
export const readLog = (
  db: Database,
  { before, count }: { before?: Date | undefined; count: number },
): Promise<LoggedAction[]> =>
  db
    .select()
    .from(deskLog)
    .where(and(before ? lt(deskLog.at, before) : sql`true`))
    .orderBy(desc(deskLog.at), desc(deskLog.id))
    .limit(count);

export async function deleteOldLog(db: Database, clock: Clock): Promise<number> {
  const deleted = await db
    .delete(deskLog)
    .where(lt(deskLog.at, daysBefore(clock(), logRetentionDays)))
    .returning({ id: deskLog.id });
  return deleted.length;
}
