import type { Feature } from "../../platform/feature.ts";
import { navigationFile, wordmarkFile } from "./files.server.ts";

export const layout: Feature = {
  name: "layout",
  files: [navigationFile, wordmarkFile],
  linkLabels(site) {
    const { main, apart, footer } = site.read(navigationFile);
    return [...main.flatMap((group) => group.links), ...apart, ...footer.quick, ...footer.more];
  },
};
