import type { Feature } from "../../platform/feature.ts";
import { checkRedirects } from "./check.server.ts";
import { redirectsFile } from "./files.server.ts";
import { renamedPaths } from "./rows.server.ts";

export { findRedirect, redirectsFile } from "./files.server.ts";

/** `features` know which pages exist. */
export const createRedirects = (features: () => Pick<Feature, "checkLink">[]): Feature => ({
  name: "redirects",
  files: [redirectsFile],
  sharedReads: () => [renamedPaths],
  checks: [
    (city) =>
      checkRedirects(
        city,
        features().flatMap(({ checkLink }) => checkLink ?? []),
      ),
  ],
});
