/** How long we store an email address that has not been confirmed. */
export const pendingRetentionDays = 30;

/** How long the link in a confirmation email works. */
export const linkLifetimeDays = 7;

export const newsletterPath = "/newsletter";
export const confirmPath = "/newsletter/confirm";
export const unsubscribePath = "/newsletter/unsubscribe";

/** Whether a confirmation link is valid, and if not, why. */
export type LinkState = "good" | "used" | "expired" | "unknown";
