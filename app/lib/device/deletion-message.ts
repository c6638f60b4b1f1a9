/** All tabs and the service worker listen here, so that none of them stores anything again. */
export const deletionChannelName = "forget";
/** Tabs also send this to the service worker, which replies when it stores nothing anymore. */
export const deletionMessage = "delete everything";
