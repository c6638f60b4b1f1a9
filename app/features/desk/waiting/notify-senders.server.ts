import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { daysBefore } from "../../../lib/dates.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import { stripControlCharacters } from "../../../lib/text/plain-text.ts";
import type { Services } from "../../../platform/services.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { queueMail } from "../../mail/queue.server.ts";
import { mails } from "../../mail/schema.server.ts";

/** A submission about which an editor has decided. */
type DecidedSubmission = {
  noun: "story" | "event";
  id: string;
  /** The reader's email address, or empty. Nobody has verified it. */
  email: string;
  title: string;
  /** The URL of its page, if it was published. */
  url?: string | undefined;
};

/** How many emails were queued, and how many not, because the address already got enough of them. */
export type NotifiedSenders = { notified: number; skipped: number; mailKeys: string[] };

const maxMailsPerDay = 3;

/**
 * Each item has an email of its own, so that undoing the decision about one does not cancel the
 * email about another.
 */
export const toMailKey = (itemId: string): string => `decision:${itemId}`;

/** Cancels those of these emails that still wait. */
export async function cancelMails(tx: Database, keys: string[]): Promise<void> {
  await tx
    .delete(mails)
    .where(and(inArray(mails.key, keys), eq(mails.state, "waiting"), isNull(mails.claimedUntil)));
}

/**
 * Queues emails about a decision, in its transaction. Anybody can type anybody's email address into
 * a form, so an address gets only a few such emails per day. Without a reason, or if it is spam, a
 * rejected sender gets no email. While a decision can be undone, its emails are not due.
 */
export async function notifySenders(
  { db, clock, site, mailDueAt }: Pick<Services, "db" | "clock" | "site"> & { mailDueAt: Date },
  submissions: DecidedSubmission[],
  reason: string | undefined,
): Promise<NotifiedSenders> {
  const { name } = site.read(siteSettingsFile);
  const result: NotifiedSenders = { notified: 0, skipped: 0, mailKeys: [] };
  const isOfLastDay = and(
    sql`starts_with(${mails.key}, ${toMailKey("")})`,
    gt(mails.createdAt, daysBefore(clock(), 1)),
  );
  const announced = submissions.filter(
    ({ email, url }) => email !== "" && (url || isForReader(reason)),
  );
  for (const [email, ofReader] of Map.groupBy(announced, (each) => each.email)) {
    const earlier = await db.$count(mails, and(eq(mails.recipient, email), isOfLastDay));
    const sent = ofReader.slice(0, Math.max(0, maxMailsPerDay - earlier));
    result.notified += sent.length;
    result.skipped += ofReader.length - sent.length;
    for (const { noun, id, title, url } of sent) {
      const key = toMailKey(id);
      result.mailKeys.push(key);
      await queueMail(db, clock, {
        key,
        to: email,
        subject: `Your ${noun} for ${name}`,
        text: stripControlCharacters(
          [
            url
              ? `Thank you for your ${noun} "${title}". It is now on ${name}:\n\n  ${url}`
              : `Thank you for your ${noun} "${title}". We have decided not to publish it:\n\n  ${reason}`,
            `You get this email because somebody sent us this ${noun} with your email address. If that was not you, you need not do anything. If you have a question, just reply to this email.\n`,
          ].join("\n\n"),
        ),
        headers: { "Reply-To": site.read(contactFile).email },
        dueAt: mailDueAt,
      });
    }
  }
  return result;
}

export const isForReader = (reason: string | undefined): boolean =>
  reason !== undefined && !/^\s*spam\b/i.test(reason);

export const explainSkipped = (skipped: number): string =>
  skipped === 0
    ? ""
    : `${formatCount(skipped, "email is", "emails are")} not sent, because an address gets at most ${maxMailsPerDay} per day.`;
