export const maxMessageLength = 5_000;
export const maxNameLength = 100;

/** How long we store a message, and how long after an editor marks it as done. */
export const messageLifetimeDays = 365;
export const doneLifetimeDays = 90;

/** Messages in this category go to the newsroom's email address for tips. */
export const tipCategory = "tip";

/** The iframe posts this to the page around it when a message is stored. */
export const storedNotice = "harborline-contact:stored";
