import MailComposer from "nodemailer/lib/mail-composer";
import type { Message } from "./transport.server.ts";

/** The words of a mail. */
export type Letter = {
  subject: string;
  text: string;
  html?: string | null | undefined;
  headers?: Record<string, string> | undefined;
};

export type Sender = { name: string; address: string };

/** Nothing that somebody wrote can begin a header of its own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const oneLine = (text: string) => text.replaceAll(/[\u0000-\u001f\u007f]+/g, " ").trim();

/** A mail as it travels. Its Message-ID follows from its row, so that two copies would be seen as one. */
export async function compose(
  sender: Sender,
  { id, recipient, date }: { id: string; recipient: string; date: Date },
  { subject, text, html, headers = {} }: Letter,
): Promise<Message> {
  const own = Object.entries(headers).map(([key, value]) => ({ key: oneLine(key), value: oneLine(value) }));
  const content = await new MailComposer({
    from: { name: oneLine(sender.name), address: sender.address },
    // As an object: as text it could be read as two addresses.
    to: { name: "", address: recipient },
    subject: oneLine(subject),
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
