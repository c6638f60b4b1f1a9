/** A neighborhood as pages and links show it. */
export type Place = { slug: string; name: string };

/** The query parameter that selects a neighborhood. */
export const placeParam = "place";

export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const maxSlugLength = 60;
