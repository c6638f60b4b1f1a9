import type { Feature } from "../../platform/feature.ts";
import { officialAlertsFile } from "./files.server.ts";
import { officialAlertHealth, refreshOfficialAlerts } from "./refresh.server.ts";
import { deleteOldOfficialAlerts, storedOfficialAlerts } from "./store.server.ts";

const missing = {
  file: officialAlertsFile.path,
  at: null,
  message: "does not exist, so no official warnings appear.",
  fix: "Write service and zones: docs/operations.md, Weather.",
  isOptional: true,
};

/** The alerts of the National Weather Service for the city. */
export const officialAlerts: Feature = {
  name: "official-alerts",
  files: [officialAlertsFile],
  launch: (site) => (site.read(officialAlertsFile) ? [] : [missing]),
  jobs: [{ name: "official-alerts", cron: "* * * * *", run: refreshOfficialAlerts }],
  sources: {
    about: "official alerts",
    health: officialAlertHealth,
    fix: "Open /status to see why. Nothing of the source is shown meanwhile.",
  },
  sharedReads: () => [storedOfficialAlerts],
  retention: { officialAlerts: deleteOldOfficialAlerts },
};
