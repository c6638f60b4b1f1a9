/** Blog pages fetch their content in the browser, and show their own loading and error states. */
export const isBlogPath = (path: string): boolean => /^\/blog(\/|$)/.test(path);

/** An external backend may use any characters in its slugs, so they are encoded. */
export const postPath = (slug: string): string => `/blog/${encodeURIComponent(slug)}`;

export const listPath = (page: number) => (page === 1 ? "/blog" : `/blog?page=${page}`);
