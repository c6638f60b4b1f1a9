import type { Feature } from "../../platform/feature.ts";
import { navigationFile, readNavigation, wordmarkFile } from "./files.server.ts";

export const layout: Feature = {
  name: "layout",
  files: [navigationFile, wordmarkFile],
  linkLabels(site) {
    const { main, apart, menu, footer } = readNavigation(site);
    const ofHeader = [...main.flatMap((group) => group.links), ...apart, ...menu];
    return [...ofHeader, ...footer.quick, ...footer.more];
  },
};
