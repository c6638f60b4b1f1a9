import { and, count, desc, eq, gt, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../../db/database.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import type { Services } from "../../../platform/services.ts";
import { emailField } from "../../forms/receive.server.ts";
import { queueTemplateMails } from "../../mail/queue.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { pendingLifetimeDays } from "../model.ts";
import { subscribers } from "../schema.server.ts";
import { toSubscriberId } from "./unsubscribe.server.ts";

/**
 * The form in the footer of every page; those pages are kept for everybody, so it carries no token.
 */
export const newsletterForm = {
  name: "newsletter",
  perHour: 5,
  hasToken: false,
  schema: z.object({ email: emailField }),
};

/** Names the mail that answers a sign-up: see letters.server.ts. */
export const confirmationTemplate = "newsletter:ask";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** With more hours of mails waiting than this we would be a flood, and take no more. */
const maxWaitHours = 24;

/**
 * Keeps the address as pending and has its owner asked, once a day at most. Whether the address is
 * new, pending or confirmed, the same is read and written here; only the mail, which its owner
 * alone sees, differs.
 */
export async function signUp(
  { db, clock, perHour }: Pick<Services, "db" | "clock"> & { perHour: number },
  email: string,
): Promise<void> {
  const now = clock();
  const id = await toSubscriberId(db, email);
  await db.transaction(async (tx) => {
    // Two statements: an upsert watches one unique index only, and a sign-up at the same moment may
    // violate the other first.
    await tx
      .insert(subscribers)
      .values({ email, id, state: "pending", createdAt: now })
      .onConflictDoNothing();
    const [reader] = await tx
      .update(subscribers)
      .set({
        createdAt: sql`case when ${subscribers.state} = 'pending' then ${now.toISOString()}::timestamptz else ${subscribers.createdAt} end`,
      })
      .where(eq(subscribers.email, email))
      .returning({ id: subscribers.id, tokenHash: subscribers.tokenHash });
    // The row is ours until the end, so two sign-ups at the same moment see each other's mail.
    const [last] = await tx
      .select({ key: mails.key, state: mails.state, dueAt: mails.dueAt })
      .from(mails)
      .where(
        and(
          eq(mails.recipient, email),
          eq(mails.template, confirmationTemplate),
          gt(mails.dueAt, daysBefore(now, 1)),
        ),
      )
      .orderBy(desc(mails.dueAt))
      .limit(1);
    const [recent] = await tx
      .select({ mails: count() })
      .from(mails)
      .where(
        and(
          eq(mails.template, confirmationTemplate),
          gt(mails.dueAt, new Date(now.getTime() - hourMs)),
        ),
      );
    const waitHours = Math.floor((recent?.mails ?? 0) / perHour);
    if (!reader || waitHours >= maxWaitHours)
      throw new Error("Too many confirmation mails are waiting.");
    const waiting = new Date(now.getTime() + waitHours * hourMs);
    const tomorrow = new Date((last?.dueAt.getTime() ?? 0) + dayMs);
    // A reader who has left and come back holds no link, and the mail of today is gone: the next
    // one is tomorrow's.
    const isSpent = last !== undefined && last.state === "sent" && reader.tokenHash === null;
    const dueAt = isSpent && tomorrow > waiting ? tomorrow : waiting;
    // The key of a mail that is there already writes nothing.
    const key = last && !isSpent ? last.key : `newsletter:${reader.id}:${now.getTime()}`;
    await queueTemplateMails(tx, clock, [
      { to: email, template: confirmationTemplate, about: reader.id, dueAt, key },
    ]);
  });
}

/** Forgets addresses that were never confirmed, as the privacy page promises. */
export async function deleteUnconfirmed(db: Database, clock: Clock): Promise<number> {
  const gone = await db
    .delete(subscribers)
    .where(
      and(
        eq(subscribers.state, "pending"),
        lt(subscribers.createdAt, daysBefore(clock(), pendingLifetimeDays)),
      ),
    )
    .returning({ email: subscribers.email });
  return gone.length;
}
