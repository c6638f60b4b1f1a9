import { and, count, desc, eq, inArray, lt, ne, or, sql } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { type Clock, daysBefore } from "../../lib/dates.ts";
import { mails } from "./schema.server.ts";

/** How long it is known that a mail was sent, and how long one is kept that could not be. */
export const sentLifetimeDays = 7;
const failedLifetimeDays = 30;

type MailState = (typeof mails.$inferSelect)["state"];

/** Only a person can help these. */
const isStuck = inArray(mails.state, ["refused", "bounced", "unclear"]);

/**
 * What is on its way or has got stuck, the latter first; with `all`, what was sent too. Then newest
 * first.
 */
export async function listMails(db: Database, { all, limit }: { all: boolean; limit: number }) {
  const { id, key, recipient, state, attempts, createdAt, dueAt, doneAt, fault } = mails;
  return db
    .select({ id, key, recipient, state, attempts, createdAt, dueAt, doneAt, fault })
    .from(mails)
    .where(all ? undefined : ne(state, "sent"))
    .orderBy(sql`case when ${isStuck} then 0 else 1 end`, desc(createdAt))
    .limit(limit);
}

/** What became of a mail. */
export type MailStatus = { id: string; recipient: string; state: MailState; fault: string | null };

const statusColumns = {
  id: mails.id,
  recipient: mails.recipient,
  state: mails.state,
  fault: mails.fault,
};

export async function findMail(db: Database, key: string): Promise<MailStatus | null> {
  const [mail] = await db.select(statusColumns).from(mails).where(eq(mails.key, key));
  return mail ?? null;
}

/** A statement takes so many values at most. */
const batchSize = 1_000;

/** Those of these mails that are still there. */
export async function findMails(db: Database, ids: string[]): Promise<MailStatus[]> {
  const found: MailStatus[] = [];
  for (let from = 0; from < ids.length; from += batchSize)
    found.push(
      ...(await db
        .select(statusColumns)
        .from(mails)
        .where(inArray(mails.id, ids.slice(from, from + batchSize)))),
    );
  return found;
}

/** How many mails are in each state. */
export async function countMails(db: Database): Promise<Record<MailState, number>> {
  const rows = await db
    .select({ state: mails.state, mails: count() })
    .from(mails)
    .groupBy(mails.state);
  const none = { waiting: 0, sending: 0, sent: 0, refused: 0, bounced: 0, unclear: 0 };
  return { ...none, ...Object.fromEntries(rows.map((row) => [row.state, row.mails])) };
}

/**
 * Has mails sent now that wait, were refused, or may not have arrived; says which: those, or all
 * that are unclear.
 */
export async function retryMails(
  db: Database,
  clock: Clock,
  which: string[] | "unclear",
): Promise<string[]> {
  const chosen =
    which === "unclear"
      ? eq(mails.state, "unclear")
      : and(
          inArray(mails.id, which),
          inArray(mails.state, ["waiting", "refused", "bounced", "unclear"]),
        );
  const again = await db
    .update(mails)
    .set({ state: "waiting", attempts: 0, dueAt: clock(), doneAt: null, claimedUntil: null })
    .where(chosen)
    .returning({ id: mails.id });
  return again.map(({ id }) => id);
}

/**
 * After a step back in time: what waited then may have gone out since, and nobody is to get it
 * twice.
 */
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
export async function deleteOldMails(db: Database, clock: Clock): Promise<number> {
  const now = clock();
  const gone = await db
    .delete(mails)
    .where(
      or(
        and(eq(mails.state, "sent"), lt(mails.doneAt, daysBefore(now, sentLifetimeDays))),
        and(isStuck, lt(mails.doneAt, daysBefore(now, failedLifetimeDays))),
      ),
    )
    .returning({ id: mails.id });
  return gone.length;
}
