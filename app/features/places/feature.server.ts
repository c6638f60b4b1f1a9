import type { Feature } from "../../platform/feature.ts";
import { neighborhoodsFile } from "./files.server.ts";

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
};
