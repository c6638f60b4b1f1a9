import type { Feature } from "../../platform/feature.ts";

/**
 * The page of a section, with headlines, our stories and posts, and events. /local also shows those
 * of one neighborhood.
 */
export const sectionNews: Feature = { name: "section-news" };
