export const maxMessageLength = 5_000;
export const maxNameLength = 100;

/** How long we store a message, whether or not it is marked as done. */
export const messageRetentionDays = 365;
/** A message is deleted earlier if it was marked as done this many days ago. */
export const doneRetentionDays = 90;

/** Messages in this category go to the newsroom's email address for tips. */
export { tipCategory } from "../forms/model.ts";

/** The form posts this to the page that contains its iframe when a message is stored. */
export const storedNotice = "harborline-contact:stored";
