import { type Column, sql } from "drizzle-orm";
import { calendarDay } from "../../lib/dates.ts";
import { fail, refuse } from "../../lib/newsroom/command-error.ts";
import { stripControlCharacters, toSafeLine } from "../../lib/text/plain-text.ts";
import type { CommandContext } from "../../platform/command.ts";
import type { Services } from "../../platform/services.ts";
import { contactFile } from "../brand/contact-file.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { queueMail } from "../mail/queue.server.ts";

/** The reader who sent something, for an editor. Empty if the reader gave no name or address. */
export const formatSender = ({ name, email }: { name: string; email: string }): string =>
  [name, email].map(toSafeLine).filter(Boolean).join(", ");

type Decision = {
  /** The reader's email address, or empty. Nobody has verified it. */
  email: string;
  title: string;
} & (
  | { kind: "published"; page: string }
  /** Without a reason, or if it is spam, the reader gets no email. */
  | { kind: "rejected"; reason: string | undefined }
);

/** A submission as the editor saw it. */
export type Listed = { id: string; state: string };

/**
 * Ends a command if somebody else has decided about one of these submissions meanwhile. `nouns` are
 * "stories" or "events". The desk needs no such check, because it has locked the submissions.
 */
export function requireUnchanged(listed: Listed[], current: Listed[], nouns: string): void {
  for (const { id, state } of listed)
    if (!current.some((now) => now.id === id && now.state === state))
      fail(
        `Nothing was changed, because somebody else has just decided about one of the ${nouns}. Try again.`,
      );
}

/** What was written at the desk is not deleted later: its editors can publish it again. */
export const stateAfterRejection = (origin: Column) =>
  sql`case ${origin} when 'desk' then 'down' else 'rejected' end`;

export type DecisionServices = Pick<Services, "clock" | "site"> & {
  /** When the senders get their emails, if not now. Until then, the decision can be undone. */
  mailDueAt?: Date;
};

/** `skipped` is the number of readers who get no email, because they already got one today. */
export type NotifiedSenders = { notified: number; skipped: number; mailKeys: string[] };

/**
 * Queues emails about a decision, in its transaction. Anybody can type anybody's email address into
 * a form, so an address gets at most one such email per day.
 */
export async function notifySenders(
  { db, clock, site, mailDueAt = clock() }: DecisionServices & Pick<Services, "db">,
  noun: "story" | "event",
  decisions: Decision[],
): Promise<NotifiedSenders> {
  const { name, timeZone } = site.read(siteSettingsFile);
  const result: NotifiedSenders = { notified: 0, skipped: 0, mailKeys: [] };
  const announced = decisions.filter(
    (decision) =>
      decision.email !== "" && (decision.kind === "published" || isForReader(decision.reason)),
  );
  for (const [email, ofReader] of Map.groupBy(announced, (decision) => decision.email)) {
    const key = `decision:${email}:${calendarDay(clock(), timeZone)}`;
    const isQueued = await queueMail(db, clock, {
      key,
      to: email,
      subject: `Your ${noun} for ${name}`,
      text: stripControlCharacters(
        [
          ...ofReader.map((decision) =>
            decision.kind === "published"
              ? `Thank you for your ${noun} "${decision.title}". It is now on ${name}:\n\n  ${decision.page}`
              : `Thank you for your ${noun} "${decision.title}". We have decided not to publish it:\n\n  ${decision.reason}`,
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

const isForReader = (reason: string | undefined): boolean =>
  reason !== undefined && !/^\s*spam\b/i.test(reason);

export const reasonOption = {
  type: "string",
  value: "reason",
  description:
    "why, for an email to the sender; without a reason, or with the reason spam, nobody gets an email",
} as const;

export function requireReason(reason: string | undefined): void {
  if (reason !== undefined && reason.trim() === "")
    refuse("The reason is empty. Nothing was changed.");
}

const countSenders = (count: number) => (count === 1 ? "The sender gets" : `${count} senders get`);

export const explainSkipped = (skipped: number): string =>
  skipped === 0
    ? ""
    : `${countSenders(skipped)} no email, because an address gets at most one per day.`;

export async function reportAndSendMails(
  context: Pick<CommandContext, "print" | "services" | "isServing">,
  { notified, skipped }: Omit<NotifiedSenders, "mailKeys">,
  reason?: string,
): Promise<void> {
  if (notified > 0) context.print(`${countSenders(notified)} an email.`);
  if (skipped > 0) context.print(explainSkipped(skipped));
  if (reason !== undefined && notified + skipped === 0)
    context.print(
      isForReader(reason)
        ? "Nobody gets an email, because we have no email address. It is deleted with the first decision."
        : "Nobody gets an email about spam.",
    );
  // If no server is running, the emails are sent when one starts.
  if (notified > 0 && context.isServing) (await context.services()).mail.wake();
}
