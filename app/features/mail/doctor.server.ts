import type { Database } from "../../../db/database.ts";
import { bad, type Finding, good, warning } from "../../lib/newsroom/finding.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import { createSmtpTransport } from "./smtp.server.ts";
import { countMails } from "./stored-mails.server.ts";

export async function mailFindings(db: Database, smtpUrl: URL | undefined): Promise<Finding[]> {
  const counts = await countMails(db);
  const { refused, bounced, unclear } = counts;
  const waiting = counts.waiting + counts.sending;
  const undelivered =
    refused + bounced + unclear > 0
      ? [
          warning(
            `Emails that did not arrive, or may not have: ${refused} refused, ${bounced} bounced, ${unclear} unclear.`,
            'Run "./newsroom mail list" to see them, and "./newsroom mail retry" to send them again.',
          ),
        ]
      : [];
  if (smtpUrl === undefined)
    return [
      warning(
        `No mail server is configured, so emails are not sent${waiting > 0 ? ` (${waiting} waiting)` : ""}.`,
        "Set SMTP_URL (docs/operations.md).",
      ),
      ...undelivered,
    ];
  // Connects and logs in as for sending an email, but sends nothing.
  const opened = await createSmtpTransport(smtpUrl).open();
  opened.session?.close();
  return [
    opened.session
      ? good(`${smtpUrl.hostname} accepts our emails, ${formatCount(waiting, "email")} waiting`)
      : bad(
          `The mail server ${smtpUrl.hostname} does not accept our emails: ${opened.error}`,
          "Check the host, the user name and the password in SMTP_URL.",
        ),
    ...undelivered,
  ];
}
