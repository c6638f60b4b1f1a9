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
  const submissions = [submission];
  const template = submissionsTemplate;
  // An editor may have sent the collected email before it was due.
  const isCollected =
    dueAt !== null &&
    (await mailEditors(db, clock, desk.editors, {
      key: `collected:${dueAt.toISOString()}`,
      submissions,
      template,
      dueAt,
    }));
  if (isCollected) return;
  const key = `${submission.kind}:${submission.id}`;
  await mailEditors(db, clock, desk.editors, { key, submissions, template, dueAt: clock() });
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

type Mailing = { key: string; submissions: SubmissionRef[]; template: string; dueAt: Date };

/**
 * Queues an email to every editor, or adds the submissions to the queued one with the same key.
 * Returns false if that email was rendered already, because it can no longer change.
 */
export async function mailEditors(
  db: Database,
  clock: Clock,
  editors: string[],
  { key, submissions, template, dueAt }: Mailing,
): Promise<boolean> {
  const [mailing] = await db
    .insert(deskMailings)
    .values({ key, submissions, createdAt: clock() })
    .onConflictDoUpdate({
      target: deskMailings.key,
      set: {
        submissions: sql`${deskMailings.submissions} || ${JSON.stringify(submissions)}::jsonb`,
      },
      setWhere: isNull(deskMailings.renderedAt),
    })
    .returning({ id: deskMailings.id });
  if (!mailing) return false;
  const { id } = mailing;
  // If the mailing is queued already, so are these emails, and no second one is queued per key.
  await queueTemplateMails(
    db,
    clock,
    editors.map((to) => ({ key: `desk:${id}:${to}`, to, template, about: id, dueAt })),
  );
  return true;
}
