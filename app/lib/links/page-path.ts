/**
 * The page behind an address: React Router asks for the data of /about at /about.data, and of / at
 * /_.data.
 */
export function pagePath(path: string): string {
  return path.replace(/\/_\.data$/, "/").replace(/\.data$/, "");
}
