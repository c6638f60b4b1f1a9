/**
 * A name as it can stand in an address: "Café at 3 a.m." is cafe-at-3-a-m. Empty for one without a
 * Latin letter.
 */
export const toSlug = (name: string) =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
