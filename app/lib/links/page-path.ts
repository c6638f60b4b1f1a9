/**
 * Returns the path of the page that a request is for. React Router requests the data of /about at
 * /about.data, and the data of / at /_.data.
 */
export function pagePath(path: string): string {
  return path.replace(/\/_\.data$/, "/").replace(/\.data$/, "");
}
