import { and, asc, count, desc, eq, gt, like, lte, or } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { mails } from "../../mail/schema.server.ts";
import { subscribers } from "../schema.server.ts";

const { email, state, createdAt, confirmedAt, id } = subscribers;

const columns = { email, state, createdAt, confirmedAt };
type Subscriber = Pick<typeof subscribers.$inferSelect, keyof typeof columns>;

export const listSubscribers = (db: Database, limit: number): Promise<Subscriber[]> =>
  db.select(columns).from(subscribers).orderBy(desc(createdAt)).limit(limit).execute();

export async function countSubscribers(db: Database) {
  const rows = await db.select({ state, readers: count() }).from(subscribers).groupBy(state);
  const countState = (name: string) => rows.find((row) => row.state === name)?.readers ?? 0;
  return { pending: countState("pending"), confirmed: countState("confirmed") };
}

/** Reads all subscribers in batches, in an order that stays the same while they are read. */
export async function* readAllSubscribers(db: Database): AsyncGenerator<Subscriber> {
  for (let after = ""; ; ) {
    const batch = await db
      .select(columns)
      .from(subscribers)
      .where(gt(email, after))
      .orderBy(asc(email))
      .limit(200);
    yield* batch;
    const last = batch.at(-1);
    if (!last) return;
    after = last.email;
  }
}

/**
 * Lists up to 200 subscribers who had confirmed by `confirmedBy`, ordered by id. The list begins
 * after the id `after`, or with the first subscriber if it is null.
 */
export const listConfirmedAfter = (db: Database, after: string | null, confirmedBy: Date) =>
  db
    .select({ id, email })
    .from(subscribers)
    .where(
      and(
        eq(state, "confirmed"),
        lte(confirmedAt, confirmedBy),
        after === null ? undefined : gt(id, after),
      ),
    )
    .orderBy(asc(id))
    .limit(200);

/**
 * Matches newsletter emails by their keys, but not other emails to the same address, such as
 * notices to the newsroom.
 */
const isNewsletterMail = or(
  ...["newsletter:%", "issue:%", "issue-test:%"].map((key) => like(mails.key, key)),
);

/**
 * Also deletes the newsletter emails to the subscriber. Returns their ids, because the outbox may
 * contain their files, or null if the address is unknown.
 */
export async function deleteSubscriber(db: Database, address: string) {
  return db.transaction(async (tx) => {
    const deleted = await tx.delete(subscribers).where(eq(email, address)).returning({ id });
    const deletedMails = await tx
      .delete(mails)
      .where(and(eq(mails.recipient, address), isNewsletterMail))
      .returning({ id: mails.id });
    return deleted.length + deletedMails.length > 0
      ? { mails: deletedMails.map((mail) => mail.id) }
      : null;
  });
}
