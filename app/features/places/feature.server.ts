import type { Feature } from "../../platform/feature.ts";
import { checkPlaceWords } from "./check.server.ts";
import { neighborhoodsFile } from "./files.server.ts";

/** The city's neighborhoods, by which readers filter headlines, stories and events. */
export const places: Feature = {
  name: "places",
  files: [neighborhoodsFile],
  launch: (site) =>
    site.read(neighborhoodsFile).length > 0
      ? []
      : [
          {
            file: neighborhoodsFile.path,
            at: null,
            message: "lists no neighborhoods.",
            fix: "List them, so that readers can follow their own: docs/operations.md.",
            isOptional: true,
          },
        ],
  checks: [checkPlaceWords],
};
