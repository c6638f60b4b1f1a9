/**
 * A URL of our own site as a link. Two slashes at the beginning of a path would name another host,
 * so they become one.
 */
export const ownPath = ({
  pathname,
  search,
  hash,
}: Pick<URL, "pathname" | "search" | "hash">): string =>
  pathname.replace(/^\/+/, "/") + search + hash;
