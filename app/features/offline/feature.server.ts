import type { Feature } from "../../platform/feature.ts";

export { appIconPrefix, appIcons, drawIcon } from "./manifest.server.ts";
export type { OfflineSettings } from "./worker/scope.ts";

export const offline: Feature = {
  name: "offline",
  pages: () => ({
    "/offline": {
      title: "Reading without a connection",
      summary: "The pages that your browser has stored on this device, to read offline.",
    },
  }),
};
