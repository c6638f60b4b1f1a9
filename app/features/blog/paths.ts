/**
 * The blog's pages fetch their own content in the browser, and show by themselves how that goes.
 */
export const isBlogPath = (path: string): boolean => /^\/blog(\/|$)/.test(path);
