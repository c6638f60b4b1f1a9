import MailComposer from "nodemailer/lib/mail-composer";
import { toSafeLine } from "../../lib/text/plain-text.ts";
import type { MailContent } from "../../platform/mail.ts";
import type { ComposedMail } from "./transport.server.ts";

export type Sender = { name: string; address: string };

/**
 * The Message-ID is derived from the id of the email's row, so that mail programs recognize two
 * copies as the same email.
 */
export async function composeMail(
  sender: Sender,
  { id, recipient, date }: { id: string; recipient: string; date: Date },
  { subject, text, html, headers = {}, images = [] }: MailContent,
): Promise<ComposedMail> {
  // Each header is one line, so that text from a reader cannot begin another header.
  const extraHeaders = Object.entries(headers).map(([key, value]) => ({
    key: toSafeLine(key),
    value: toSafeLine(value),
  }));
  const content = await new MailComposer({
    from: { name: toSafeLine(sender.name), address: sender.address },
    // An object, because a string could be parsed as two addresses.
    to: { name: "", address: recipient },
    subject: toSafeLine(subject),
    messageId: `<${id}@${sender.address.split("@").at(-1)}>`,
    date,
    text,
    ...(html ? { html } : {}),
    attachments: images.map(({ id, jpeg }) => ({
      cid: id,
      filename: `${id}.jpg`,
      contentType: "image/jpeg",
      contentDisposition: "inline",
      content: Buffer.from(jpeg),
    })),
    // Prevents automatic replies, such as vacation notices (RFC 3834).
    headers: [{ key: "Auto-Submitted", value: "auto-generated" }, ...extraHeaders],
    // Our emails contain only what we pass here, even if it looks like a path or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
  return { id, from: sender.address, to: recipient, content };
}
