/** The address of a picture: a file in the site's art folder, or, when it begins with a slash, a path of its own. */
export const artPath = (file: string) => (file.startsWith("/") ? file : `/art/${file}`);
