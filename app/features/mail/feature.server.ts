import { and, eq, lte, min } from "drizzle-orm";
import { gauge, type MetricGroup } from "../../lib/metrics.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import type { Feature } from "../../platform/feature.ts";
import type { Services } from "../../platform/services.ts";
import { mailCommand } from "./command.server.ts";
import { mails } from "./schema.server.ts";
import { countMails, holdBackMails } from "./stored-mails.server.ts";

export { mailFindings } from "./doctor.server.ts";
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
