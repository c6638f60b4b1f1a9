import { and, asc, count, desc, eq, gt, like, lte, or } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { mails } from "../../mail/schema.server.ts";
import { subscribers } from "../schema.server.ts";

const { email, state, createdAt, confirmedAt, id } = subscribers;

type Subscriber = {
  email: string;
  state: "pending" | "confirmed";
  createdAt: Date;
  confirmedAt: Date | null;
};

/** Newest first. */
export const listSubscribers = (db: Database, limit: number): Promise<Subscriber[]> =>
  db
    .select({ email, state, createdAt, confirmedAt })
    .from(subscribers)
    .orderBy(desc(createdAt))
    .limit(limit);

export async function countSubscribers(
  db: Database,
): Promise<{ pending: number; confirmed: number }> {
  const rows = await db.select({ state, readers: count() }).from(subscribers).groupBy(state);
  const of = (wanted: string) => rows.find((row) => row.state === wanted)?.readers ?? 0;
  return { pending: of("pending"), confirmed: of("confirmed") };
}

/** Everybody, a batch at a time, in an order that does not change while it is read. */
export async function* allSubscribers(db: Database): AsyncGenerator<Subscriber> {
  for (let after = ""; ; ) {
    const batch = await db
      .select({ email, state, createdAt, confirmedAt })
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

/** Readers who had confirmed by then, the next 200 after one. */
export const listConfirmedAfter = (
  db: Database,
  after: string | null,
  confirmedBy: Date,
): Promise<{ id: string; email: string }[]> =>
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
 * Mails of the newsletter. Others to the same address are the newsroom's own, such as what readers
 * sent to it.
 */
const isNewsletterMail = or(
  ...["newsletter:%", "digest:%", "digest-test:%"].map((key) => like(mails.key, key)),
);

/**
 * Deletes an address from the newsletter, and says of which mails a file may be left; null when we
 * do not know it.
 */
export async function deleteSubscriber(
  db: Database,
  address: string,
): Promise<{ mails: string[] } | null> {
  return db.transaction(async (tx) => {
    const gone = await tx.delete(subscribers).where(eq(email, address)).returning({ id });
    const mailsGone = await tx
      .delete(mails)
      .where(and(eq(mails.recipient, address), isNewsletterMail))
      .returning({ id: mails.id });
    return gone.length + mailsGone.length > 0 ? { mails: mailsGone.map((mail) => mail.id) } : null;
  });
}
