/**
 * Whether a text is a path of our site, for example a link that is stored on a device. Browsers
 * remove tabs and line breaks from a URL and read a backslash as a slash, so "/\\example.com" and
 * "/\t/example.com" would lead to another site.
 */
export const isOwnPath = (text: string) => /^\/(?!\/)[^\\\s]*$/.test(text);

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
