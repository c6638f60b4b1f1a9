/** How long an address waits for its confirmation before it is forgotten. */
export const pendingLifetimeDays = 30;

/** How long the link in a confirmation mail works. */
export const linkLifetimeDays = 7;

export const newsletterPath = "/newsletter";
export const confirmPath = "/newsletter/confirm";
export const unsubscribePath = "/newsletter/unsubscribe";

/** What a confirmation link is worth. */
export type LinkState = "good" | "used" | "expired" | "unknown";
