import type { Feature } from "../../platform/feature.ts";
import { adsFile } from "./files.server.ts";

export const ads: Feature = {
  name: "ads",
  files: [adsFile],
  launch: (site) =>
    site.read(adsFile).adsTxt.startsWith("placeholder.")
      ? [
          {
            file: adsFile.path,
            at: ["adsTxt"],
            message: "allows no company to sell ads.",
            fix: "If you sell ads, copy the lines that your ad network gives you.",
            isOptional: true,
          },
        ]
      : [],
};
