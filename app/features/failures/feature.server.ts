import type { Feature } from "../../platform/feature.ts";

export { awaySentences, retryAfterSeconds } from "./model.ts";

export const failures: Feature = { name: "failures" };
