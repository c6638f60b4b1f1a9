export type Place = { slug: string; name: string };

export const placeParam = "place";

/** How many days a headline about a neighborhood is listed. */
export const placeDays = 30;
