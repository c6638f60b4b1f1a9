import type { Feature } from "../../platform/feature.ts";

export const saved: Feature = { name: "saved" };
