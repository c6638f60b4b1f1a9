/** The background of the site, for the parts of a browser or phone that surround the page. */
export const paperColors = { light: "#fbf8f1", dark: "#0d1826" };
