import type { Feature } from "../../platform/feature.ts";

/**
 * What the page of a section shows: headlines, our stories and posts, and events. /local also shows
 * those of one neighborhood.
 */
export const sectionNews: Feature = { name: "section-news" };
