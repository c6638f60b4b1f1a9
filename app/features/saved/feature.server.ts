import type { Feature } from "../../platform/feature.ts";

export const savedDescription = "What you saved on this device to read later.";

export const saved: Feature = {
  name: "saved",
  pages: () => ({
    "/saved": { title: "Saved", aliases: ["Bookmarks"], summary: savedDescription },
  }),
};
