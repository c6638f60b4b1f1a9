import { formatCount } from "../../lib/newsroom/printing.ts";
import type { Feature } from "../../platform/feature.ts";
import { mailCommand } from "./command.server.ts";
import { mailMetrics } from "./metrics.server.ts";
import { holdBackMails } from "./stored-mails.server.ts";

export { mailFindings } from "./doctor.server.ts";
export { openMailer } from "./mailer.server.ts";
export { queueMail } from "./queue.server.ts";

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
