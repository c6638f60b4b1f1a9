import type { Feature } from "../../platform/feature.ts";
import { shareImageLimit } from "./store.server.ts";

export { createShareImages } from "./respond.server.ts";
export { outlineTask } from "./tasks.server.ts";
export type { Outline, OutlineRequest } from "./text/outline-text.server.ts";

/** The images that social networks and messengers show with a link to one of our pages. */
export const shareImages: Feature = { name: "share-images", limits: [shareImageLimit] };
