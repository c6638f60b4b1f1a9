/**
 * Converts a name for use in a path: "Café at 3 a.m." becomes cafe-at-3-a-m. The result is empty if
 * the name has no Latin letters or digits.
 */
export const toSlug = (name: string) =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
