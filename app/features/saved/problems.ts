import { maxSavedItems, type SaveProblem } from "./saved-items.ts";

export const problemTexts: Record<SaveProblem, string> = {
  "list-full": `You have saved ${maxSavedItems} items, and more do not fit. Remove some from your saved list first.`,
  "storage-blocked":
    "Your browser does not let this site store anything, so this could not be saved.",
};
