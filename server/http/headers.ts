/** Names the request, for a reader who reports a fault and for the log. */
export const requestIdHeader = "X-Request-Id";
/** The tags of a page, from the route that rendered it to the page cache. */
export const tagsHeader = "Surrogate-Key";
/** Set by a proxy in front of the server. */
export const forwardedForHeader = "x-forwarded-for";
