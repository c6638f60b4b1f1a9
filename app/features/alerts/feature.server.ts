import type { Feature } from "../../platform/feature.ts";
import { noteEnded, noticeFile } from "./files.server.ts";
import { alertsPath } from "./model.ts";
import { deleteOldAlerts, storedAlerts, storeFileAlerts } from "./store.server.ts";

export { followAlerts } from "./banner/follow.server.ts";

/**
 * Sentences that every page shows while they matter, such as a water main break. The command `alert`
 * is one of the desk's (desk/commands), because its changes are in the desk's log. A city without a
 * desk has it too.
 */
export const alerts: Feature = {
  name: "alerts",
  files: [noticeFile],
  checks: [noteEnded],
  sharedReads: () => [storedAlerts],
  onSiteChanged: storeFileAlerts,
  pages: () => ({
    [alertsPath]: {
      title: "Alerts",
      summary: "What concerns the whole city right now, and the alerts of the past year.",
      aliases: ["Alert", "Emergency", "Warning", "Notice"],
    },
  }),
  retention: { alerts: deleteOldAlerts },
};
