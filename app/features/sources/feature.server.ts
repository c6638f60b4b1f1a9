import type { Feature } from "../../platform/feature.ts";

/**
 * Documents of other servers that we fetch again and again: feeds, calendars, meetings, the
 * weather, alerts.
 */
export const sources: Feature = {
  name: "sources",
  derivedTables: ["source_documents"],
};
