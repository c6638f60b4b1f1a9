/** The address of a file in the site's art folder. */
export const artPath = (file: string) => `/art/${file}`;
