import type { Feature } from "../../platform/feature.ts";

export { missingPage } from "./missing.server.ts";
export { retryAfterSeconds, unavailableMessages } from "./model.ts";

export const failures: Feature = { name: "failures" };
