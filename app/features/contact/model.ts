import { toQueryString } from "../../lib/links/query.ts";
import { tipCategory } from "../forms/model.ts";

export const maxMessageLength = 5_000;
export const maxNameLength = 100;

/** How long we store a message, whether or not it is marked as done. */
export const messageRetentionDays = 365;
/** A message is deleted earlier if it was marked as done this many days ago. */
export const doneRetentionDays = 90;
/** How long we store a message after an editor put it into the bin. */
export const rejectedRetentionDays = 30;

/** The category that "Report a mistake" selects, if the city has it. */
const correctionCategory = "correction";

/** The page of ours that a message is about. */
export type Topic = { title: string; url: string };

export const contactFormPath = "/contact/form";

/**
 * Returns the path of the form for a message about the page at `about`, with a category. If the
 * city does not have that category, the form selects its own.
 */
export const toFormPath = (preset: string, about: string | null, isTip: boolean): string => {
  const aboutCategory = isTip ? tipCategory : correctionCategory;
  return contactFormPath + toQueryString({ category: about ? aboutCategory : preset, about });
};

/** The form posts this to the page that contains its iframe when a message is stored. */
export const formStored = "harborline-contact:stored";
