import { showToast, type Toast } from "../../ui/toast.ts";
import { maxSavedItems, type SaveProblem } from "./saved-items.ts";

/** Whether the reader can open a saved page without a connection. */
type Readability = "stored" | "when-online" | "no-space" | "failed";

const texts: Record<Readability, string> = {
  stored: "Saved on this device.",
  "when-online": "Saved. Its text will be stored when you are online.",
  "no-space": "Saved, but there is no space to read it offline.",
  failed: "Saved. Its text could not be stored yet, so reading it needs a connection.",
};

const link: Toast["link"] = { to: "/saved", label: "See what you saved" };

export const showSaved = (readability: Readability) =>
  showToast({ text: texts[readability], link });

export const problemTexts: Record<SaveProblem, string> = {
  "list-full": `You have saved ${maxSavedItems} items, and more do not fit. Remove some from your saved list first.`,
  "not-stored":
    "Your browser has no space left or does not let this site store anything, so this could not be saved.",
};
