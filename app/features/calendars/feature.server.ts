import type { Feature } from "../../platform/feature.ts";

/** What events and meetings share: reading and writing calendars, and visits to their sources. */
export const calendars: Feature = {
  name: "calendars",
  derivedTables: ["calendar_sources"],
};
