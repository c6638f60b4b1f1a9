/**
 * Returns the path of a URL on our site, with its query and fragment. Two slashes at the beginning
 * would refer to another host, so they are reduced to one.
 */
export const ownPath = ({
  pathname,
  search,
  hash,
}: Pick<URL, "pathname" | "search" | "hash">): string =>
  pathname.replace(/^\/+/, "/") + search + hash;
