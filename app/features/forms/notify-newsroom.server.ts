import type { Database } from "../../../db/database.ts";
import { stripControlCharacters } from "../../lib/text/plain-text.ts";
import type { Services } from "../../platform/services.ts";
import { queueMail } from "../mail/queue.server.ts";
import { countForm } from "./rate-limit.server.ts";

/** After this many emails in an hour, further submissions come together in one email. */
const maxMailsPerHour = 30;
/** How long an email with several submissions waits for further ones. */
const collectMs = 10 * 60_000;

/** What a reader sent: a row of its own table. */
export type SubmissionRef = { kind: "story" | "event" | "message"; id: string };

/** The desk, where editors decide about submissions. */
export type SubmissionDesk = {
  /**
   * Queues an email about a submission to the editors. If many submissions arrive, `collectUntil`
   * is the time until which this one waits for others, otherwise null.
   */
  notify(tx: Database, submission: SubmissionRef, collectUntil: Date | null): Promise<void>;
  urlOf(submission: SubmissionRef): string;
};

/** The mailboxes for emails about submissions and, in a city with a desk, the desk of its editors. */
export type Recipients = { newsroom: string; tips: string; desk: SubmissionDesk | null };

export type NotifyServices = Pick<Services, "db" | "clock"> & { recipients: Recipients };

/**
 * The subjects of emails about submissions. They never contain text that a reader typed, which could
 * imitate an email of somebody else. A message's is followed by its category.
 */
export const mailSubjects: Record<SubmissionRef["kind"], string> = {
  story: "A reader submitted a story",
  event: "A reader submitted an event",
  message: "A reader's message",
};

export const noEmailAddress = "The reader did not leave an email address.";

type NewsroomMail = {
  subject: string;
  lines: string[];
  /** An email address that the form has validated, or empty. */
  replyTo?: string;
};

/**
 * Queues an email about a submission to the newsroom or the editors, in the transaction that stores
 * the submission. A tip goes to its own mailbox, also if there is a desk. If many submissions
 * arrive, one email contains all those of ten minutes. `compose` writes the email to a mailbox: it
 * gets the URL of a tip at the desk. About anything else, the editors get an email of the desk.
 */
export async function notifyNewsroom(
  { db, clock, recipients }: NotifyServices,
  submission: SubmissionRef,
  compose: (deskUrl: string | undefined) => NewsroomMail,
  isTip = false,
): Promise<void> {
  const { newsroom, tips, desk } = recipients;
  const count = await countForm(db, clock, { form: "newsroom mail", subject: "newsroom" });
  const dueAt =
    count > maxMailsPerHour
      ? new Date((Math.floor(clock().getTime() / collectMs) + 1) * collectMs)
      : null;
  if (desk && !isTip) return desk.notify(db, submission, dueAt);
  const to = isTip ? tips : newsroom;
  const { subject, lines, replyTo = "" } = compose(desk?.urlOf(submission));
  const text = stripControlCharacters(lines.join("\n"));
  if (dueAt && (await addToCollection({ db, clock, to, dueAt }, subject, text))) return;
  await queueMail(db, clock, {
    key: `${submission.kind}:${submission.id}`,
    to,
    subject,
    text: replyTo === "" ? text : `${text}\n\nTo answer the reader, just reply to this email.\n`,
    ...(replyTo === "" ? {} : { headers: { "Reply-To": replyTo } }),
  });
}

/**
 * Adds a submission to the email that collects those of these ten minutes. Returns false if that
 * email is being sent or was sent: an editor can send it early with `newsroom mail retry`.
 */
function addToCollection(
  { db, clock, to, dueAt }: Pick<Services, "db" | "clock"> & { to: string; dueAt: Date },
  subject: string,
  text: string,
): Promise<boolean> {
  const entry = `\n\n=== ${subject} ===\n\n${text}\n`;
  return queueMail(db, clock, {
    key: `notices:${dueAt.toISOString()}:${to}`,
    to,
    subject: "Many new submissions",
    text: `Readers have sent more than ${maxMailsPerHour} messages, stories and events this hour, so the others come together in one email. Each of them is stored as usual.${entry}`,
    dueAt,
    entry,
  });
}
