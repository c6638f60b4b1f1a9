import { and, desc, gte, inArray, lt, notInArray, or, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { deleteRows } from "../../../../db/rows.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import type { Editor } from "../files.server.ts";
import { logRetentionDays } from "../model.ts";
import { deskLog, type LogAction } from "../schema.server.ts";

type LogEntry = {
  action: LogAction;
  /** Of which kind the items are, such as "story" or "urgent alert". Empty if the title says it. */
  kind: string;
  items?: string[];
  title: string;
  note?: string | undefined;
};

/** Writes down what an editor did, in the transaction in which it was done. */
export async function writeLog(
  tx: Database,
  clock: Clock,
  editor: Editor,
  { action, kind, items = [], title, note = "" }: LogEntry,
): Promise<void> {
  await tx.insert(deskLog).values({
    at: clock(),
    editorName: editor.name,
    editor: editor.email,
    action,
    kind,
    items,
    title,
    note,
  });
}

/** The log does not know who typed a command. */
export const commandEditor: Editor = { name: "A newsroom command", email: "" };

/** Writes down what a command changed, in the transaction in which it was changed. */
export const logCommand = (tx: Database, clock: Clock, entry: LogEntry): Promise<void> =>
  writeLog(tx, clock, commandEditor, entry);

/** Such as "approved 2 stories", or "marked it as done". */
export const describeAction = (action: LogAction, what: string): string =>
  action === "marked as done" ? `marked ${what} as done` : `${action} ${what}`;

const isAbout = (item: string) => sql`${deskLog.items} @> ${JSON.stringify([item])}::jsonb`;

type LoggedAction = typeof deskLog.$inferSelect;

/** What editors did, newest first. `before` is the time of the last entry on the page before. */
export const readLog = (
  db: Database,
  { before, count }: { before?: Date | undefined; count: number },
): Promise<LoggedAction[]> =>
  db
    .select()
    .from(deskLog)
    .where(before && lt(deskLog.at, before))
    .orderBy(desc(deskLog.at), desc(deskLog.id))
    .limit(count);

/** Selects actions about one of the `items`, of one of the `kinds`, that are not in `not`. */
type Wanted = {
  items?: string[];
  kinds?: string[];
  actions?: LogAction[];
  not?: LogAction[];
  since?: Date;
};

export async function findLastAction(
  db: Database,
  { items = [], kinds, actions, not, since }: Wanted,
): Promise<LoggedAction | undefined> {
  const [last] = await db
    .select()
    .from(deskLog)
    .where(
      and(
        or(...items.map(isAbout)),
        kinds && inArray(deskLog.kind, kinds),
        actions && inArray(deskLog.action, actions),
        not && notInArray(deskLog.action, not),
        since && gte(deskLog.at, since),
      ),
    )
    .orderBy(desc(deskLog.at))
    .limit(1);
  return last;
}

export const deleteOldLog = (db: Database, clock: Clock): Promise<number> =>
  deleteRows(db, deskLog, lt(deskLog.at, daysBefore(clock(), logRetentionDays)));
