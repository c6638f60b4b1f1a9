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

/** Converts the title of something new: “Ana’s first story” becomes anas-first-story. */
export const toTitleSlug = (title: string) => toSlug(title.replaceAll(/['’]/g, ""));

/** Matches what `toSlug` returns. */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const maxSlugLength = 60;

/**
 * Returns the slug of a title with, if that is taken, a number. `fallback` is for a title without
 * one.
 */
export async function findFreeSlug(
  title: string,
  fallback: string,
  isTaken: (slug: string) => Promise<boolean>,
): Promise<string> {
  const base = toTitleSlug(title).slice(0, maxSlugLength).replace(/-$/, "") || fallback;
  for (let attempt = 1; ; attempt += 1) {
    const slug = attempt === 1 ? base : `${base}-${attempt}`;
    if (!(await isTaken(slug))) return slug;
  }
}
