/** How long an address waits for its confirmation before it is forgotten. */
export const pendingLifetimeDays = 30;
