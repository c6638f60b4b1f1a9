import type { Feature } from "../../platform/feature.ts";
import { noticeFile } from "./files.server.ts";
import { deleteOldAlerts, storedAlerts, storeNotices } from "./store.server.ts";

/** Sentences that every page shows while they matter, such as a water main break. */
export const alerts: Feature = {
  name: "alerts",
  files: [noticeFile],
  sharedReads: () => [storedAlerts],
  onSiteChanged: storeNotices,
  retention: { alerts: deleteOldAlerts },
};
