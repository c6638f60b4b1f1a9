import type { Feature } from "../../platform/feature.ts";
import { brandFile } from "../brand/files.server.ts";
import { reportCommand } from "./command.server.ts";
import { forgetOldTallies } from "./tally.server.ts";

export { reportCommand } from "./command.server.ts";
export { createTallies, type Tallies } from "./tally.server.ts";

export const tally: Feature = {
  name: "tally",
  commands: [reportCommand],
  retention: {
    tallies: ({ db, clock, site }) => forgetOldTallies(db, clock, site.read(brandFile).timeZone),
  },
};
