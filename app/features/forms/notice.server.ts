import { stripControlCharacters } from "../../lib/text/plain-text.ts";
import type { Services } from "../../platform/services.ts";
import { queueMail } from "../mail/queue.server.ts";
import { countForm } from "./rate-limit.server.ts";

/** From then on, for the rest of the hour, one mail speaks for all that comes. */
const maxNoticesPerHour = 30;

/** `to` is the address of the newsroom. */
export type NoticeServices = Pick<Services, "db" | "clock"> & { to: string };

type Notice = {
  key: string;
  /** Words of ours only: what a reader typed could pretend to be anything. */
  subject: string;
  lines: string[];
  /** The command that lists such entries. */
  listCommand: string;
  /** An address that a form has checked, or none. */
  replyTo?: string;
};

/**
 * Writes a mail to the newsroom, in the transaction that stores what it tells of; a flood is told
 * of once an hour.
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
    subject: "Much is coming in",
    text: `More than ${maxNoticesPerHour} messages, stories and events have come within this hour.
All are stored. Until the hour is over no other mail reports them. The last of them is in this list:

  ./newsroom ${listCommand}

"./newsroom help" names the other lists.
`,
  });
}
