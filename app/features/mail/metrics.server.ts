import { and, eq, lte, min } from "drizzle-orm";
import { gauge, type MetricGroup } from "../../lib/metrics.ts";
import type { Services } from "../../platform/services.ts";
import { mails } from "./schema.server.ts";
import { countMails } from "./stored-mails.server.ts";

export const mailMetrics = ({ db, clock }: Pick<Services, "db" | "clock">): MetricGroup => ({
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
