import { and, count, desc, eq, gt, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../../db/database.ts";
import { deleteRows } from "../../../../db/rows.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import type { Services } from "../../../platform/services.ts";
import { emailField, formsPerHour } from "../../forms/receive.server.ts";
import { queueTemplateMails } from "../../mail/queue.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { pendingRetentionDays } from "../model.ts";
import { subscribers } from "../schema.server.ts";
import { toSubscriberId } from "./unsubscribe.server.ts";

/** Without a token, because the form is in the footer of pages that are cached for all readers. */
export const newsletterForm = {
  name: "newsletter",
  limit: formsPerHour("newsletter sign-ups", { visitor: 5, all: 600 }),
  hasToken: false,
  schema: z.object({ email: emailField }),
};

/** The template of the email after a sign-up. */
export const confirmationTemplate = "newsletter:ask";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Sign-ups are refused if their confirmation emails would have to wait this long. */
const maxWaitHours = 24;

/**
 * Queues an email to the owner of the address, at most once a day. The same statements run whether
 * it is new, pending or confirmed, so that nobody can find out who subscribes.
 */
export async function signUp(
  { db, clock, perHour }: Pick<Services, "db" | "clock"> & { perHour: number },
  email: string,
): Promise<void> {
  const now = clock();
  const id = await toSubscriberId(db, email);
  await db.transaction(async (tx) => {
    // An upsert handles only one unique index, and a sign-up at the same moment may violate the
    // other one first, so there are two statements.
    await tx
      .insert(subscribers)
      .values({ email, id, state: "pending", createdAt: now })
      .onConflictDoNothing();
    const [subscriber] = await tx
      .update(subscribers)
      .set({
        createdAt: sql`case when ${subscribers.state} = 'pending' then ${now.toISOString()}::timestamptz else ${subscribers.createdAt} end`,
      })
      .where(eq(subscribers.email, email))
      .returning({ id: subscribers.id, tokenHash: subscribers.tokenHash });
    // The update locks the row until the end of the transaction, so of two sign-ups at the same
    // moment, the second finds the email that the first has queued.
    const [lastMail] = await tx
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
    if (!subscriber || waitHours >= maxWaitHours)
      throw new Error("Too many confirmation emails are waiting.");
    const nextFreeHour = new Date(now.getTime() + waitHours * hourMs);
    const nextDay = new Date((lastMail?.dueAt.getTime() ?? 0) + dayMs);
    // A reader who has unsubscribed and subscribed again has no valid link, and today's email was
    // already sent, so the next email is due a day later.
    const isLinkUsed =
      lastMail !== undefined && lastMail.state === "sent" && subscriber.tokenHash === null;
    const dueAt = isLinkUsed && nextDay > nextFreeHour ? nextDay : nextFreeHour;
    // With the key of an existing email, nothing is queued.
    const key =
      lastMail && !isLinkUsed ? lastMail.key : `newsletter:${subscriber.id}:${now.getTime()}`;
    await queueTemplateMails(tx, clock, [
      { to: email, template: confirmationTemplate, about: subscriber.id, dueAt, key },
    ]);
  });
}

export const deleteUnconfirmed = (db: Database, clock: Clock): Promise<number> =>
  deleteRows(
    db,
    subscribers,
    and(
      eq(subscribers.state, "pending"),
      lt(subscribers.createdAt, daysBefore(clock(), pendingRetentionDays)),
    ),
  );
