import { stripControlCharacters } from "../../lib/text/plain-text.ts";
import type { Services } from "../../platform/services.ts";
import { queueMail } from "../mail/queue.server.ts";
import { countForm } from "./rate-limit.server.ts";

/** After this many emails in an hour, further submissions come together in one email. */
const maxNoticesPerHour = 30;
/** How long such an email waits for further submissions. */
const collectMs = 10 * 60_000;

/** `to` is the newsroom's email address. */
export type NoticeServices = Pick<Services, "db" | "clock"> & { to: string };

type Notice = {
  key: string;
  /**
   * The subject never contains text that a reader typed: it could make the email look like one from
   * somebody else.
   */
  subject: string;
  lines: string[];
  /** An email address that the form has validated, or empty. */
  replyTo?: string;
};

/**
 * Queues an email to the newsroom, in the same transaction that stores the submission. If many
 * submissions arrive, one email contains all that arrive within ten minutes.
 */
export async function notifyNewsroom(
  { db, clock, to }: NoticeServices,
  { key, subject, lines, replyTo = "" }: Notice,
): Promise<void> {
  const text = stripControlCharacters(lines.join("\n"));
  const count = await countForm(db, clock, { form: "notice", subject: "newsroom" });
  if (count > maxNoticesPerHour && (await addToCollection({ db, clock, to }, subject, text)))
    return;
  await queueMail(db, clock, {
    key,
    to,
    subject,
    text: replyTo === "" ? text : `${text}\n\nTo answer the reader, just reply to this email.\n`,
    ...(replyTo === "" ? {} : { headers: { "Reply-To": replyTo } }),
  });
}

/**
 * Adds a submission to the email that collects those of these ten minutes. Returns false if that
 * email is being sent or was sent, because somebody did not want to wait for it.
 */
function addToCollection(
  { db, clock, to }: NoticeServices,
  subject: string,
  text: string,
): Promise<boolean> {
  const dueAt = new Date((Math.floor(clock().getTime() / collectMs) + 1) * collectMs);
  const entry = `\n\n=== ${subject} ===\n\n${text}\n`;
  return queueMail(db, clock, {
    key: `notices:${dueAt.toISOString()}:${to}`,
    to,
    subject: "Many new submissions",
    text: `Readers have sent more than ${maxNoticesPerHour} messages, stories and events this hour, so the others come together in one email. Each of them is stored as usual.${entry}`,
    dueAt,
    entry,
  });
}
