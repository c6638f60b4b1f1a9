/** Blog pages fetch their content in the browser, and show their own loading and error states. */
export const isBlogPath = (path: string): boolean => /^\/blog(\/|$)/.test(path);

/** An external backend may use any characters in its slugs, so they are encoded. */
export const postPath = (slug: string): string => `/blog/${encodeURIComponent(slug)}`;

export const listPath = (page: number) => (page === 1 ? "/blog" : `/blog?page=${page}`);

/**
 * The state of a link to a post, so that "Back to Blog" leads to the page of the list from which
 * the reader came.
 */
export const listPageState = (page: number) => ({ blogPage: page });

export function readListPage(state: unknown): number {
  const page =
    typeof state === "object" && state !== null && "blogPage" in state ? state.blogPage : 1;
  return Number.isInteger(page) ? Number(page) : 1;
}
