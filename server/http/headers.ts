/** Identifies the request in the log and for a reader who reports an error. */
export const requestIdHeader = "X-Request-Id";
/** Set by a proxy in front of the server. */
export const forwardedForHeader = "x-forwarded-for";
/** Sent by browsers whose users want to save data. */
export const saveDataHeader = "save-data";

/** Returns the Vary header of a response: pages also depend on whether the reader saves data. */
export const varyHeader = (contentType: string | null | undefined) =>
  contentType?.startsWith("text/html") ? "Accept-Encoding, Save-Data" : "Accept-Encoding";
