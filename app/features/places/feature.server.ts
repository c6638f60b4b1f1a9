import type { Feature } from "../../platform/feature.ts";
import { checkPlaceWords, checkRenamed, rememberRenamed } from "./check.server.ts";
import { neighborhoodsFile } from "./files.server.ts";

/** The city's neighborhoods, by which readers filter headlines, stories and events. */
export const places: Feature = {
  name: "places",
  files: [neighborhoodsFile],
  checks: [checkPlaceWords, checkRenamed],
  onSiteChanged: rememberRenamed,
};
