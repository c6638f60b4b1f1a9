import type { Feature } from "../../platform/feature.ts";

export const device: Feature = { name: "device" };
