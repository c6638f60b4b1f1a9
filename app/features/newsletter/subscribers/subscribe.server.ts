import { createHash, randomBytes } from "node:crypto";
import { and, count, desc, eq, gt, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../../db/database.ts";
import { deleteRows } from "../../../../db/rows.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import type { MailContent } from "../../../platform/mail.ts";
import type { Services } from "../../../platform/services.ts";
import { emailField, type FieldErrors, formsPerHour } from "../../forms/receive.server.ts";
import { readSender, renderMail } from "../../mail/layout.server.ts";
import { queueTemplateMails } from "../../mail/queue.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { newsletterFile } from "../files.server.ts";
import { confirmPath, type LinkState, linkLifetimeDays, pendingRetentionDays } from "../model.ts";
import { subscribers } from "../schema.server.ts";
import { createUnsubscribeLink, toSubscriberId, unsubscribeHeaders } from "./unsubscribe.server.ts";

/**
 * The form has no token, because it is in the footer of every page, and pages are cached for all
 * readers.
 */
export const newsletterRule = {
  name: "newsletter",
  limit: formsPerHour("newsletter sign-ups", { visitor: 5, all: 600 }),
  hasToken: false,
  schema: z.object({ email: emailField }),
};

/** The template of the email after a sign-up. */
export const confirmationTemplate = "newsletter:confirmation";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Sign-ups are refused if their confirmation emails would have to wait this long. */
const maxWaitHours = 24;

/**
 * Stores the address as pending and queues an email to its owner, at most once a day. The same
 * statements run whether the address is new, pending or confirmed, so that nobody can find out who
 * subscribes. Only the email differs, which only the owner of the address sees.
 */
export async function subscribe(
  { db, clock, log, perHour }: Pick<Services, "db" | "clock" | "log"> & { perHour: number },
  email: string,
): Promise<FieldErrors | undefined> {
  const now = clock();
  const id = await toSubscriberId(db, email);
  return db.transaction(async (tx) => {
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
    if (waitHours >= maxWaitHours) {
      log.warn("newsletter.too_many_confirmations");
      return { email: "Too many readers are subscribing right now. Please try again tomorrow." };
    }
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
    if (!subscriber) throw new Error("The subscriber was deleted meanwhile.");
    const nextFreeHour = new Date(now.getTime() + waitHours * hourMs);
    const nextDay = new Date((lastMail?.dueAt.getTime() ?? 0) + dayMs);
    // A reader who has unsubscribed and subscribed again has no valid link, and today's email was
    // already sent, so the next email is due a day later.
    const isLastLinkVoid =
      lastMail !== undefined && lastMail.state === "sent" && subscriber.tokenHash === null;
    const dueAt = isLastLinkVoid && nextDay > nextFreeHour ? nextDay : nextFreeHour;
    // If there already is an email with this key, no second one is queued.
    const key =
      lastMail && !isLastLinkVoid ? lastMail.key : `newsletter:${subscriber.id}:${now.getTime()}`;
    await queueTemplateMails(tx, clock, [
      { to: email, template: confirmationTemplate, about: subscriber.id, dueAt, key },
    ]);
    return undefined;
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

const hashToken = (token: string) => createHash("sha256").update(token).digest("base64url");

/**
 * Replaces the token of the previous email, whose link becomes invalid. Only the hash of a token is
 * stored.
 */
async function createConfirmToken(db: Database, clock: Clock, id: string): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  await db
    .update(subscribers)
    .set({
      tokenHash: hashToken(token),
      tokenExpiresAt: new Date(clock().getTime() + linkLifetimeDays * dayMs),
    })
    .where(eq(subscribers.id, id));
  return token;
}

/** Checks a link without using it, because programs that scan emails open every link in them. */
export async function checkConfirmLink(
  db: Database,
  clock: Clock,
  token: string,
): Promise<LinkState> {
  const { state, tokenExpiresAt } = subscribers;
  const [subscriber] = await db
    .select({ state, tokenExpiresAt })
    .from(subscribers)
    .where(eq(subscribers.tokenHash, hashToken(token)));
  if (!subscriber) return "unknown";
  if (subscriber.state === "confirmed") return "used";
  return subscriber.tokenExpiresAt && subscriber.tokenExpiresAt > clock() ? "good" : "expired";
}

export async function confirmSubscription(
  db: Database,
  clock: Clock,
  token: string,
): Promise<"confirmed" | LinkState> {
  const now = clock();
  const [subscriber] = await db
    .update(subscribers)
    .set({ state: "confirmed", confirmedAt: now })
    .where(
      and(
        eq(subscribers.tokenHash, hashToken(token)),
        eq(subscribers.state, "pending"),
        gt(subscribers.tokenExpiresAt, now),
      ),
    )
    .returning({ id: subscribers.id });
  return subscriber ? "confirmed" : checkConfirmLink(db, clock, token);
}

/** The email asks for a confirmation or, if the reader is subscribed already, says so. */
export async function renderConfirmationMail(
  { db, clock, site }: Pick<Services, "db" | "clock" | "site">,
  id: string,
): Promise<MailContent | null> {
  const { heading, confirmation, already } = site.read(newsletterFile);
  const layout = { ...readSender(site), heading };
  const { origin } = layout.brand;
  const [subscriber] = await db
    .select({ state: subscribers.state })
    .from(subscribers)
    .where(eq(subscribers.id, id));
  if (!subscriber) return null;
  if (subscriber.state === "confirmed") {
    const link = await createUnsubscribeLink(db, origin, id);
    return {
      subject: already.subject,
      ...renderMail({
        ...layout,
        parts: [{ kind: "paragraph", text: already.text }],
        links: [{ label: "Unsubscribe", link }],
      }),
      headers: unsubscribeHeaders(link),
    };
  }
  const link = `${origin}${confirmPath}?token=${await createConfirmToken(db, clock, id)}`;
  const { subject, question, button, otherwise } = confirmation;
  const paragraphs = [`The link works for ${linkLifetimeDays} days.`, otherwise];
  return {
    subject,
    ...renderMail({
      ...layout,
      parts: [
        { kind: "paragraph", text: question },
        { kind: "button", label: button, link },
        ...paragraphs.map((text) => ({ kind: "paragraph" as const, text })),
      ],
    }),
  };
}
