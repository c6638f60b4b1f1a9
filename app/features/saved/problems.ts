import { maxSavedItems, type SaveProblem } from "./saved-items.ts";

export const problemTexts: Record<SaveProblem, string> = {
  "list-full": `You have saved ${maxSavedItems} items, and more do not fit. Remove some from your saved list first.`,
  "not-stored":
    "Your browser has no space left or does not let this site store anything, so this could not be saved.",
};
