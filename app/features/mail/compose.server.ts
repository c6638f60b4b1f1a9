import MailComposer from "nodemailer/lib/mail-composer";
import { toSafeLine } from "../../lib/text/plain-text.ts";
import type { MailContent } from "../../platform/mail.ts";
import type { Message } from "./transport.server.ts";

export type Sender = { name: string; address: string };

/**
 * A mail as it travels. Its Message-ID follows from its row, so that two copies would be seen as
 * one.
 */
export async function composeMail(
  sender: Sender,
  { id, recipient, date }: { id: string; recipient: string; date: Date },
  { subject, text, html, headers = {} }: MailContent,
): Promise<Message> {
  // In one line each: nothing that somebody wrote can begin a header of its own.
  const own = Object.entries(headers).map(([key, value]) => ({
    key: toSafeLine(key),
    value: toSafeLine(value),
  }));
  const content = await new MailComposer({
    from: { name: toSafeLine(sender.name), address: sender.address },
    // As an object: as text it could be read as two addresses.
    to: { name: "", address: recipient },
    subject: toSafeLine(subject),
    messageId: `<${id}@${sender.address.split("@").at(-1)}>`,
    date,
    text,
    ...(html ? { html } : {}),
    // Nobody's holiday notice should answer a machine (RFC 3834).
    headers: [{ key: "Auto-Submitted", value: "auto-generated" }, ...own],
    // Words are all that a mail of ours holds, whatever they look like.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
  return { id, from: sender.address, to: recipient, content };
}
