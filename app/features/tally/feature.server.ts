import type { Feature } from "../../platform/feature.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { createReportCommand } from "./command.server.ts";
import { deleteOldTallies } from "./tally.server.ts";

export { createTallies } from "./tally.server.ts";

/** `features` suggest pages for missing paths. */
export const createTally = (features: () => Pick<Feature, "suggestPath">[]): Feature => ({
  name: "tally",
  commands: [createReportCommand(features)],
  retention: {
    tallies: ({ db, clock, site }) =>
      deleteOldTallies(db, clock, site.read(siteSettingsFile).timeZone),
  },
});
