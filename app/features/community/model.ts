export const maxTitleLength = 150;
export const maxStoryLength = 20_000;
export const maxNameLength = 100;

/** How long a story waits before it is deleted unaccepted. */
export const waitingLifetimeDays = 90;

export const submitPath = "/community/submit";
