export const maxMessageLength = 5_000;
export const maxNameLength = 100;

/** How long a message is kept, and how long after it was dealt with. */
export const messageLifetimeDays = 365;
export const doneLifetimeDays = 90;

/** The category whose messages go to the newsroom's address for tips. */
export const tipCategory = "tip";

/** What the frame tells the page around it once a message is stored. */
export const storedNotice = "harborline-contact:stored";
