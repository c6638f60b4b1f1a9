import { sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "../../../db/backup/dump.ts";
import type { Database } from "../../../db/database.ts";
import { bad, type Finding, good, warning } from "../../lib/newsroom/finding.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import { mails } from "./schema.server.ts";
import { createSmtpTransport } from "./smtp.server.ts";

/** Whether mails can go out, and whether they do. */
export async function mailFindings(db: Database, smtpUrl: URL | undefined): Promise<Finding[]> {
  const rows = await queryRows(
    db,
    sql`select ${mails.state} as state, count(*)::int as count from ${mails} group by 1`,
    z.object({ state: z.string(), count: z.number() }),
  );
  const count = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
  const [waiting, unclear, refused] = [
    count("waiting"),
    count("unclear"),
    count("refused") + count("bounced"),
  ];
  const post =
    unclear + refused > 0
      ? [
          warning(
            "mail",
            `${formatCount(refused, "mail was", "mails were")} refused; of ${formatCount(unclear, "mail")} nobody knows whether it went out.`,
            '"./newsroom mail list" shows them, "mail retry" sends them again.',
          ),
        ]
      : [];
  if (smtpUrl === undefined)
    return [
      warning(
        "mail",
        `No mail server is named, so mails are not sent${waiting > 0 ? ` (${waiting} waiting)` : ""}.`,
        "Set SMTP_URL (docs/operations.md).",
      ),
      ...post,
    ];
  const fault = await tryMailServer(smtpUrl);
  const says = `${smtpUrl.hostname} takes our mails, ${formatCount(waiting, "mail")} waiting`;
  return [
    fault === null
      ? good("mail", says)
      : bad(
          "mail",
          `The mail server ${smtpUrl.hostname} does not take our mails: ${fault}`,
          "Check name, user and password in SMTP_URL.",
        ),
    ...post,
  ];
}

/** Says hello and logs in as the sender of mails does, without sending anything. */
async function tryMailServer(url: URL): Promise<string | null> {
  const opened = await createSmtpTransport(url).open();
  opened.session?.close();
  return opened.session ? null : opened.error;
}
