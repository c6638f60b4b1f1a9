import type { Feature } from "../../platform/feature.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { reportCommand } from "./command.server.ts";
import { deleteOldTallies } from "./tally.server.ts";

export { reportCommand } from "./command.server.ts";
export { createTallies, type Tallies } from "./tally.server.ts";

export const tally: Feature = {
  name: "tally",
  commands: [reportCommand],
  retention: {
    tallies: ({ db, clock, site }) =>
      deleteOldTallies(db, clock, site.read(siteSettingsFile).timeZone),
  },
};
