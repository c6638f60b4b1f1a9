import type { Feature } from "../../platform/feature.ts";

export const savedDescription =
  "The headlines, stories, posts and events that you saved on this device.";

export const saved: Feature = {
  name: "saved",
  pages: () => ({
    "/saved": { title: "Saved", aliases: ["Bookmarks"], summary: savedDescription },
  }),
};
