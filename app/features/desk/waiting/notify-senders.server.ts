import { calendarDay } from "../../../lib/dates.ts";
import { stripControlCharacters } from "../../../lib/text/plain-text.ts";
import type { Services } from "../../../platform/services.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { queueMail } from "../../mail/queue.server.ts";

type Decided = {
  /** The reader's email address, or empty. Nobody has verified it. */
  email: string;
  title: string;
  /** The URL of the page, if it was published. */
  page?: string | undefined;
};

type DecisionServices = Pick<Services, "clock" | "site"> & {
  /** When the senders get their emails, if not now. Until then, the decision can be undone. */
  mailDueAt?: Date;
};

/** `skipped` is the number of readers who get no email, because they already got one today. */
export type NotifiedSenders = { notified: number; skipped: number; mailKeys: string[] };

/**
 * Queues emails about a decision, in its transaction. Anybody can type anybody's email address into
 * a form, so an address gets at most one such email per day. Without a reason, or if it is spam, a
 * rejected sender gets no email.
 */
export async function notifySenders(
  { db, clock, site, mailDueAt = clock() }: DecisionServices & Pick<Services, "db">,
  noun: "story" | "event",
  decided: Decided[],
  reason: string | undefined,
): Promise<NotifiedSenders> {
  const { name, timeZone } = site.read(siteSettingsFile);
  const result: NotifiedSenders = { notified: 0, skipped: 0, mailKeys: [] };
  const announced = decided.filter(
    ({ email, page }) => email !== "" && (page || isForReader(reason)),
  );
  for (const [email, ofReader] of Map.groupBy(announced, (each) => each.email)) {
    const key = `decision:${email}:${calendarDay(clock(), timeZone)}`;
    const isQueued = await queueMail(db, clock, {
      key,
      to: email,
      subject: `Your ${noun} for ${name}`,
      text: stripControlCharacters(
        [
          ...ofReader.map(({ title, page }) =>
            page
              ? `Thank you for your ${noun} "${title}". It is now on ${name}:\n\n  ${page}`
              : `Thank you for your ${noun} "${title}". We have decided not to publish it:\n\n  ${reason}`,
          ),
          `You get this email because somebody sent us this ${noun} with your email address. If that was not you, you need not do anything. If you have a question, just reply to this email.\n`,
        ].join("\n\n"),
      ),
      headers: { "Reply-To": site.read(contactFile).email },
      dueAt: mailDueAt,
    });
    result[isQueued ? "notified" : "skipped"] += 1;
    if (isQueued) result.mailKeys.push(key);
  }
  return result;
}

export const isForReader = (reason: string | undefined): boolean =>
  reason !== undefined && !/^\s*spam\b/i.test(reason);

export const countSenders = (count: number) =>
  count === 1 ? "The sender gets" : `${count} senders get`;

export const explainSkipped = (skipped: number): string =>
  skipped === 0
    ? ""
    : `${countSenders(skipped)} no email, because an address gets at most one per day.`;
