import { isNull, sql } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import type { Clock } from "../../lib/dates.ts";
import { stripControlCharacters } from "../../lib/text/plain-text.ts";
import type { Services } from "../../platform/services.ts";
import { queueMail, queueTemplateMails } from "../mail/queue.server.ts";
import { increaseHourCount } from "./hour-counts.server.ts";
import type { SubmissionRef } from "./model.ts";
import { deskMailings } from "./schema.server.ts";

/** The template of the email to the editors, which the desk renders. */
export const submissionsTemplate = "desk:submissions";

/** After this many emails in an hour, further submissions come together in one email. */
const maxMailsPerHour = 30;
/** How long an email with several submissions waits for further ones. */
const collectMs = 10 * 60_000;
const halfHourMs = 30 * 60_000;

/** The recipients of emails about submissions: a mailbox or, in a city with a desk, its editors. */
export type Recipients = {
  newsroom: string;
  /** The mailbox for news tips, also in a city with a desk. */
  tips: string;
  desk: {
    editors: string[];
    rhythm: "each" | "half-hourly";
    urlOf(submission: SubmissionRef): string;
  } | null;
};

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
 * Queues an email about a submission in the transaction that stores it: to all editors if there is a
 * desk, otherwise to the newsroom's mailbox. A news tip always goes to its own mailbox. If many
 * submissions arrive, one email has all those of ten minutes. `compose` writes the email to a
 * mailbox, and gets the URL of the submission at the desk. What editors get is written when it is
 * sent (`app/features/desk/mail/render.server.ts`).
 */
export async function notifyNewsroom(
  services: NotifyServices,
  submission: SubmissionRef,
  compose: (deskUrl: string | undefined) => NewsroomMail,
  isTip = false,
): Promise<void> {
  const { db, clock, recipients } = services;
  const { newsroom, tips, desk } = recipients;
  const target = { what: "emails about submissions", whom: "newsroom" };
  const isMany = (await increaseHourCount(db, clock, target)) > maxMailsPerHour;
  const collectUntil = isMany ? endOfPeriod(clock, collectMs) : null;
  if (!desk || isTip) {
    const mail = compose(desk?.urlOf(submission));
    return mailMailbox(services, submission, isTip ? tips : newsroom, mail, collectUntil);
  }
  const dueAt = desk.rhythm === "half-hourly" ? endOfPeriod(clock, halfHourMs) : collectUntil;
  const queue = (key: string, due: Date) =>
    mailEditors(db, clock, desk.editors, [submission], submissionsTemplate, key, due);
  // An editor may have sent the collected email before it was due.
  if (dueAt && (await queue(`collected:${dueAt.toISOString()}`, dueAt))) return;
  await queue(`${submission.kind}:${submission.id}`, clock());
}

/** The end of the current period, such as the half hour. Everybody's periods begin together. */
const endOfPeriod = (clock: Clock, periodMs: number) =>
  new Date((Math.floor(clock().getTime() / periodMs) + 1) * periodMs);

async function mailMailbox(
  { db, clock }: Pick<Services, "db" | "clock">,
  { kind, id }: SubmissionRef,
  to: string,
  { subject, lines, replyTo = "" }: NewsroomMail,
  collectUntil: Date | null,
): Promise<void> {
  const text = stripControlCharacters(lines.join("\n"));
  const addition = `\n\n=== ${subject} ===\n\n${text}\n`;
  // An editor may have sent the collected email before it was due, with `newsroom mail retry`.
  const isCollected =
    collectUntil !== null &&
    (await queueMail(db, clock, {
      key: `notices:${collectUntil.toISOString()}:${to}`,
      to,
      subject: "Many new submissions",
      text: `Readers have sent more than ${maxMailsPerHour} messages, stories and events this hour, so the others come together in one email. Each of them is stored as usual.${addition}`,
      dueAt: collectUntil,
      addition,
    }));
  if (isCollected) return;
  await queueMail(db, clock, {
    key: `${kind}:${id}`,
    to,
    subject,
    text: replyTo === "" ? text : `${text}\n\nTo answer the reader, just reply to this email.\n`,
    ...(replyTo === "" ? {} : { headers: { "Reply-To": replyTo } }),
  });
}

/**
 * Queues an email to every editor, or adds the submissions to the queued one with the same key.
 * Returns false if that email was rendered already, because it can no longer change.
 */
export async function mailEditors(
  db: Database,
  clock: Clock,
  editors: string[],
  submissions: SubmissionRef[],
  template: string,
  key: string,
  dueAt: Date,
): Promise<boolean> {
  const [mailing] = await db
    .insert(deskMailings)
    .values({ key, submissions, createdAt: clock() })
    .onConflictDoUpdate({
      target: deskMailings.key,
      set: { submissions: sql`${deskMailings.submissions} || excluded.submissions` },
      setWhere: isNull(deskMailings.renderedAt),
    })
    .returning({ id: deskMailings.id });
  if (!mailing) return false;
  const about = mailing.id;
  // If the mailing is queued already, so are these emails, and no second one is queued per key.
  const copies = editors.map((to) => ({ key: `desk:${about}:${to}`, to, template, about, dueAt }));
  await queueTemplateMails(db, clock, copies);
  return true;
}
