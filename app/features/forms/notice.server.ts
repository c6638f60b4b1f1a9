import { stripControlCharacters } from "../../lib/text/plain-text.ts";
import type { Services } from "../../platform/services.ts";
import { queueMail } from "../mail/queue.server.ts";
import { countForm } from "./rate-limit.server.ts";

/** After this many emails in an hour, one last email covers all further submissions. */
const maxNoticesPerHour = 30;

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
  /** The command that lists submissions of this kind. */
  listCommand: string;
  /** An email address that the form has validated, or empty. */
  replyTo?: string;
};

/**
 * Queues an email to the newsroom, in the same transaction that stores the submission. If too many
 * submissions arrive, one email per hour covers the rest.
 */
export async function notifyNewsroom(
  { db, clock, to }: NoticeServices,
  { key, subject, lines, listCommand, replyTo = "" }: Notice,
): Promise<void> {
  if ((await countForm(db, clock, { form: "notice", subject: "newsroom" })) <= maxNoticesPerHour) {
    const text = stripControlCharacters(lines.join("\n"));
    await queueMail(db, clock, {
      key,
      to,
      subject,
      text,
      ...(replyTo === "" ? {} : { headers: { "Reply-To": replyTo } }),
    });
    return;
  }
  const hour = clock().toISOString().slice(0, 13);
  await queueMail(db, clock, {
    key: `notices:${hour}`,
    to,
    subject: "Many new submissions",
    text: `Readers have sent more than ${maxNoticesPerHour} messages, stories and events this hour.
All of them are stored, but you will get no more emails about them until the next hour. The latest
one is in this list:

  ./newsroom ${listCommand}

Run "./newsroom help" to see the other lists.
`,
  });
}
