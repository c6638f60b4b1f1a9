import type { Feature } from "../../platform/feature.ts";

export const offline: Feature = { name: "offline" };
