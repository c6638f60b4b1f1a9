import { formatCount } from "../../lib/newsroom/printing.ts";
import type { Feature } from "../../platform/feature.ts";
import { mailCommand } from "./command.server.ts";
import { holdBackMails } from "./list.server.ts";
import { mailMetrics } from "./metrics.server.ts";

export { mailFindings } from "./doctor.server.ts";
export { openMailFor } from "./open.server.ts";
export { queueMail } from "./queue.server.ts";

export const mail: Feature = {
  name: "mail",
  commands: [mailCommand],
  restore:
    async ({ now }) =>
    async (tx) => {
      const heldBack = await holdBackMails(tx, now);
      const note = `${formatCount(heldBack, "mail")} waited when the backup was made and may have gone out since: "mail list --all", "mail retry <id>".`;
      return { result: { heldBack }, notes: heldBack > 0 ? [note] : [] };
    },
  metrics: mailMetrics,
  retention: { mails: (services) => services.mail.deleteOld() },
  jobs: [
    {
      name: "mail",
      cron: "* * * * *",
      // Not waited for: ten thousand mails take longer than a job may.
      run: async (services) => services.mail.wake(),
    },
  ],
};
