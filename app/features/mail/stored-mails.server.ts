import { and, count, desc, eq, inArray, lt, ne, or, sql } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { deleteRows } from "../../../db/rows.ts";
import { type Clock, daysBefore } from "../../lib/dates.ts";
import { mails } from "./schema.server.ts";

export const sentRetentionDays = 7;
/** How long we store an email that was refused, bounced or is unclear. */
const failedRetentionDays = 30;

type MailState = (typeof mails.$inferSelect)["state"];

/** The condition for emails that only a person can deal with. */
const isStuck = inArray(mails.state, ["refused", "bounced", "unclear"]);

const { id, recipient, state, error } = mails;
const statusColumns = { id, recipient, state, error };
export type MailStatus = Pick<typeof mails.$inferSelect, keyof typeof statusColumns>;

/** Lists stuck emails first, then the newest. */
export async function listMails(db: Database, { all, limit }: { all: boolean; limit: number }) {
  const { key, attempts, createdAt, dueAt, doneAt } = mails;
  return db
    .select({ ...statusColumns, key, attempts, createdAt, dueAt, doneAt })
    .from(mails)
    .where(all ? undefined : ne(state, "sent"))
    .orderBy(sql`case when ${isStuck} then 0 else 1 end`, desc(createdAt))
    .limit(limit);
}

export async function findMail(db: Database, key: string): Promise<MailStatus | null> {
  const [mail] = await db.select(statusColumns).from(mails).where(eq(mails.key, key));
  return mail ?? null;
}

/** Passes all ids as one parameter, because the number of parameters per statement is limited. */
export const findMails = (db: Database, ids: string[]): Promise<MailStatus[]> =>
  db
    .select(statusColumns)
    .from(mails)
    .where(sql`${id} = any(${sql.param(ids)}::uuid[])`)
    .execute();

/** Counts all emails, or those of a template. */
export async function countMails(
  db: Database,
  template?: string,
): Promise<Record<MailState, number>> {
  const rows = await db
    .select({ state: mails.state, mails: count() })
    .from(mails)
    .where(template === undefined ? undefined : eq(mails.template, template))
    .groupBy(mails.state);
  const noMails = { waiting: 0, sending: 0, sent: 0, refused: 0, bounced: 0, unclear: 0 };
  return { ...noMails, ...Object.fromEntries(rows.map((row) => [row.state, row.mails])) };
}

/** Makes unsent emails due now, with a new series of attempts. Returns the ids of these emails. */
export async function retryMails(db: Database, clock: Clock, selection: string[] | "unclear") {
  const isSelected =
    selection === "unclear"
      ? eq(mails.state, "unclear")
      : and(
          inArray(mails.id, selection),
          inArray(mails.state, ["waiting", "refused", "bounced", "unclear"]),
        );
  const retried = await db
    .update(mails)
    .set({ state: "waiting", attempts: 0, dueAt: clock(), doneAt: null, claimedUntil: null })
    .where(isSelected)
    .returning({ id: mails.id });
  return retried.map(({ id }) => id);
}

/**
 * An email that waits in a restored backup may have been sent after the backup was made. It becomes
 * unclear, so that nobody gets it twice.
 */
export async function holdBackMails(db: Pick<Database, "update">, now: Date): Promise<number> {
  const heldBack = await db
    .update(mails)
    .set({
      state: "unclear",
      claimedUntil: null,
      doneAt: now,
      error: "The email was waiting in the backup that was restored, and may have been sent since.",
    })
    .where(inArray(mails.state, ["waiting", "sending"]))
    .returning({ id: mails.id });
  return heldBack.length;
}

export function deleteOldMails(db: Database, clock: Clock): Promise<number> {
  const now = clock();
  const isOld = or(
    and(eq(mails.state, "sent"), lt(mails.doneAt, daysBefore(now, sentRetentionDays))),
    and(isStuck, lt(mails.doneAt, daysBefore(now, failedRetentionDays))),
  );
  return deleteRows(db, mails, isOld);
}
