/**
 * Whether a text is a path of our site. Browsers remove tabs and line breaks from a URL and read a
 * backslash as a slash, so "/\\example.com" and "/\t/example.com" would lead to another site.
 */
export const isOwnPath = (text: string) => /^\/(?!\/)[^\\\s]*$/.test(text);

/**
 * Returns the path of a URL on our site, with its query and fragment. Two slashes at the beginning
 * would refer to another host, so they are reduced to one.
 */
export const ownPath = (url: Pick<URL, "pathname" | "search" | "hash">): string =>
  url.pathname.replace(/^\/+/, "/") + url.search + url.hash;
