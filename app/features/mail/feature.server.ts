import type { Feature } from "../../platform/feature.ts";
import { mailMetrics } from "./metrics.server.ts";

export const mail: Feature = {
  name: "mail",
  metrics: mailMetrics,
  retention: { mails: (services) => services.mail.forgetOld() },
  jobs: [
    {
      name: "mail",
      cron: "* * * * *",
      // Not waited for: ten thousand mails take longer than a job may.
      run: async (services) => services.mail.wake(),
    },
  ],
};
