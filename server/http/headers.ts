/** Identifies the request in the log and for a reader who reports an error. */
export const requestIdHeader = "X-Request-Id";
/** Carries the tags of a page from the route that rendered it to the page cache. */
export const tagsHeader = "Surrogate-Key";
/** Set by a proxy in front of the server. */
export const forwardedForHeader = "x-forwarded-for";
