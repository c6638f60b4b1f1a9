/** Blog pages fetch their content in the browser, and show their own loading and error states. */
export const isBlogPath = (path: string): boolean => /^\/blog(\/|$)/.test(path);
