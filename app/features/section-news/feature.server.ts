import type { Feature } from "../../platform/feature.ts";

/** The page of a section. /local also shows one neighborhood. */
export const sectionNews: Feature = { name: "section-news" };
