import { editionParam } from "../../edition/edition.ts";
import { toQueryString } from "../../lib/links/query.ts";
import { contactFormPath, tipCategory } from "../forms/model.ts";

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

/**
 * Returns the path of the form in its iframe, for a message about the page at `about`, with a
 * category. If the city does not have that category, the form selects its own. The iframe is part
 * of the full edition, even if the browser asks for little data.
 */
export const toFramePath = (preset: string, about: string | null, isTip: boolean): string => {
  const aboutCategory = isTip ? tipCategory : correctionCategory;
  const category = about ? aboutCategory : preset;
  return contactFormPath + toQueryString({ category, about, [editionParam]: "full" });
};
