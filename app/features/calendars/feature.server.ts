import type { Feature } from "../../platform/feature.ts";

/** What events and meetings share: reading and writing calendars, and recurrence. */
export const calendars: Feature = { name: "calendars" };
