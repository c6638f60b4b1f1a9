import { and, count, desc, eq, inArray, lt, ne, or } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { type Clock, daysBefore } from "../../lib/dates.ts";
import { mails } from "./schema.server.ts";

/** How long it is known that a mail was sent, and how long one is kept that could not be. */
export const sentLifetimeDays = 7;
export const troubledLifetimeDays = 30;

export type MailState = (typeof mails.$inferSelect)["state"];

/** What is on its way or has got stuck; with `all`, what was sent too. Newest first. */
export async function listMails(db: Database, { all, limit }: { all: boolean; limit: number }) {
  const { id, key, recipient, state, attempts, createdAt, dueAt, doneAt, fault } = mails;
  return db
    .select({ id, key, recipient, state, attempts, createdAt, dueAt, doneAt, fault })
    .from(mails)
    .where(all ? undefined : ne(state, "sent"))
    .orderBy(desc(createdAt))
    .limit(limit);
}

export async function findMail(db: Database, id: string) {
  const [mail] = await db.select().from(mails).where(eq(mails.id, id));
  return mail ?? null;
}

/** How many mails are in each state. */
export async function countMails(db: Database): Promise<Record<MailState, number>> {
  const rows = await db.select({ state: mails.state, mails: count() }).from(mails).groupBy(mails.state);
  const none = { waiting: 0, sending: 0, sent: 0, refused: 0, unclear: 0 };
  return { ...none, ...Object.fromEntries(rows.map((row) => [row.state, row.mails])) };
}

/** Has a mail sent now that waits, was refused, or may not have arrived. Null when there is no such mail. */
export async function retryMail(
  db: Database,
  clock: Clock,
  id: string,
): Promise<{ recipient: string } | null> {
  const [mail] = await db
    .update(mails)
    .set({ state: "waiting", attempts: 0, dueAt: clock(), doneAt: null, claimedUntil: null })
    .where(and(eq(mails.id, id), inArray(mails.state, ["waiting", "refused", "unclear"])))
    .returning({ recipient: mails.recipient });
  return mail ?? null;
}

/** After a step back in time: what waited then may have gone out since, and nobody is to get it twice. */
export async function holdBackMails(db: Pick<Database, "update">, now: Date): Promise<number> {
  const held = await db
    .update(mails)
    .set({
      state: "unclear",
      claimedUntil: null,
      doneAt: now,
      fault: "It waited when the backup was made that is now restored.",
    })
    .where(inArray(mails.state, ["waiting", "sending"]))
    .returning({ id: mails.id });
  return held.length;
}

/** Forgets mails that are done with, as the privacy page promises. */
export async function forgetOldMails(db: Database, clock: Clock): Promise<number> {
  const now = clock();
  const gone = await db
    .delete(mails)
    .where(
      or(
        and(eq(mails.state, "sent"), lt(mails.doneAt, daysBefore(now, sentLifetimeDays))),
        and(
          inArray(mails.state, ["refused", "unclear"]),
          lt(mails.doneAt, daysBefore(now, troubledLifetimeDays)),
        ),
      ),
    )
    .returning({ id: mails.id });
  return gone.length;
}
