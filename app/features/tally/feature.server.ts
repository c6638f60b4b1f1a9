import type { Feature } from "../../platform/feature.ts";
import { brandFile } from "../brand/files.server.ts";
import { forgetOldTallies } from "./tally.server.ts";

export const tally: Feature = {
  name: "tally",
  retention: {
    tallies: ({ db, clock, site }) => forgetOldTallies(db, clock, site.read(brandFile).timeZone),
  },
};
