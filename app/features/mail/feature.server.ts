import { and, eq, lte, min } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { gauge, type MetricGroup } from "../../lib/metrics.ts";
import { bad, type Finding, good, warning } from "../../lib/newsroom/finding.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import type { Feature } from "../../platform/feature.ts";
import type { Services } from "../../platform/services.ts";
import { mailCommand } from "./command.server.ts";
import { mails } from "./schema.server.ts";
import { createSmtpTransport } from "./smtp.server.ts";
import { countMails, holdBackMails } from "./stored-mails.server.ts";

export { openMailer } from "./mailer.server.ts";
export { queueMail } from "./queue.server.ts";

const mailMetrics = ({ db, clock }: Pick<Services, "db" | "clock">): MetricGroup => ({
  name: "mail",
  async read() {
    const now = clock();
    const counts = await countMails(db);
    const [oldest] = await db
      .select({ dueAt: min(mails.dueAt) })
      .from(mails)
      .where(and(eq(mails.state, "waiting"), lte(mails.dueAt, now)));
    const ageMs = oldest?.dueAt ? now.getTime() - oldest.dueAt.getTime() : 0;
    return [
      gauge(
        "harborline_mails",
        "Stored emails by state.",
        Object.entries(counts).map(([state, value]) => ({ labels: { state }, value })),
      ),
      gauge(
        "harborline_mail_oldest_due_age_seconds",
        "How long the oldest waiting email has been overdue.",
        ageMs / 1_000,
      ),
    ];
  },
});

export const mail: Feature = {
  name: "mail",
  commands: [mailCommand],
  restore:
    async ({ now }) =>
    async (tx) => {
      const heldBack = await holdBackMails(tx, now);
      const note = `${formatCount(heldBack, "email was", "emails were")} waiting when the backup was created and may have been sent since. Run "./newsroom mail list --all" to see them, and "./newsroom mail retry <id>" to send one again.`;
      return { result: { heldBack }, notes: heldBack > 0 ? [note] : [] };
    },
  metrics: mailMetrics,
  retention: { mails: (services) => services.mail.deleteOld() },
  jobs: [
    {
      name: "mail",
      cron: "* * * * *",
      // The job does not wait until the emails are sent: ten thousand emails take longer than its
      // timeout.
      run: async (services) => services.mail.wake(),
    },
  ],
};

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
  // This connects and logs in as for sending an email, but sends nothing.
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
