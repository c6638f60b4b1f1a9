export const maxMessageLength = 5_000;
export const maxNameLength = 100;

/** How long a message is kept. */
export const messageLifetimeDays = 365;

/** What the frame tells the page around it once a message is stored. */
export const keptNotice = "harborline-contact:kept";
