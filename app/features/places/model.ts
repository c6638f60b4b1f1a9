export type Place = { slug: string; name: string };

export const placeParam = "place";

/** How many days a headline about a neighborhood is listed. */
export const placeDays = 30;

export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const maxSlugLength = 60;
