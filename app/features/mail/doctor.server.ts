import { sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "../../../db/backup/dump.ts";
import type { Database } from "../../../db/database.ts";
import { bad, type Finding, good, warning } from "../../lib/newsroom/finding.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import { mails } from "./schema.server.ts";
import { createSmtpTransport } from "./smtp.server.ts";

/** Checks whether emails can be sent, and whether any were refused. */
export async function mailFindings(db: Database, smtpUrl: URL | undefined): Promise<Finding[]> {
  const rows = await queryRows(
    db,
    sql`select ${mails.state} as state, count(*)::int as count from ${mails} group by 1`,
    z.object({ state: z.string(), count: z.number() }),
  );
  const countState = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
  const [waiting, unclear, refused] = [
    countState("waiting"),
    countState("unclear"),
    countState("refused") + countState("bounced"),
  ];
  const undelivered =
    unclear + refused > 0
      ? [
          warning(
            "mail",
            `${formatCount(refused, "email was", "emails were")} refused, and ${formatCount(unclear, "email")} may or may not have been sent.`,
            'Run "./newsroom mail list" to see them, and "./newsroom mail retry" to send them again.',
          ),
        ]
      : [];
  if (smtpUrl === undefined)
    return [
      warning(
        "mail",
        `No mail server is configured, so emails are not sent${waiting > 0 ? ` (${waiting} waiting)` : ""}.`,
        "Set SMTP_URL (docs/operations.md).",
      ),
      ...undelivered,
    ];
  const error = await tryMailServer(smtpUrl);
  const message = `${smtpUrl.hostname} accepts our emails, ${formatCount(waiting, "email")} waiting`;
  return [
    error === null
      ? good("mail", message)
      : bad(
          "mail",
          `The mail server ${smtpUrl.hostname} does not accept our emails: ${error}`,
          "Check the host, the user name and the password in SMTP_URL.",
        ),
    ...undelivered,
  ];
}

/** Connects and logs in as for sending an email, but sends nothing. */
async function tryMailServer(url: URL): Promise<string | null> {
  const opened = await createSmtpTransport(url).open();
  opened.session?.close();
  return opened.session ? null : opened.error;
}
