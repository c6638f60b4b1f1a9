import { createDeviceValue, isTime } from "../../lib/device/device-value.ts";
import { isOwnPath } from "../../lib/links/own-path.ts";
import { showToast, type Toast } from "../../ui/toast.ts";
import { savedCount } from "./saved-link.tsx";

export type SavedKind = "headline" | "story" | "post" | "event";

/** What a reader has saved. Of a headline of another newsroom, this is all that we store. */
export type SavedItem = {
  /** A path of this site, or the absolute URL of a headline of another newsroom. */
  url: string;
  title: string;
  kind: SavedKind;
  source?: string;
  /** When an event takes place, as its page says. */
  when?: string;
  /** Milliseconds since 1970. */
  savedAt: number;
};

/** The list must fit into the storage of a browser and on a page. */
export const maxSavedItems = 500;
/** Longer than any link that a feed may contain. */
const maxTextLength = 8_000;

/** The items that the reader has saved on this device, newest first. */
export const savedItems = createDeviceValue<SavedItem[]>("saved.items", [], (stored) =>
  Array.isArray(stored)
    ? [...new Map(stored.filter(isSavedItem).map((item) => [item.url, item])).values()].slice(
        0,
        maxSavedItems,
      )
    : [],
);

/** The paths of the saved pages of this site, which the reader can open without a connection. */
export const readSavedPaths = () =>
  savedItems
    .read()
    .map(({ url }) => url)
    .filter(isOwnPath);

function isSavedItem(item: Partial<SavedItem> | null): item is SavedItem {
  return (
    item !== null &&
    isText(item.url) &&
    (isOwnPath(item.url) || /^https?:\/\//.test(item.url)) &&
    isText(item.title) &&
    ["headline", "story", "post", "event"].includes(item.kind ?? "") &&
    [item.source, item.when].every((text) => text === undefined || isText(text)) &&
    isTime(item.savedAt)
  );
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length <= maxTextLength;

type SaveProblem = "list-full" | "not-stored";

/** Saves an item, or puts it back at its place if it has the time of an earlier save. */
export function saveItem(item: SavedItem): SaveProblem | null {
  const others = savedItems.read().filter(({ url }) => url !== item.url);
  if (others.length >= maxSavedItems) return "list-full";
  const items = [...others, item].toSorted((one, other) => other.savedAt - one.savedAt);
  return savedItems.write(items) ? null : "not-stored";
}

/** Removes an item and returns it, so that the reader can undo this. */
export function removeItem(url: string): SavedItem | null {
  const items = savedItems.read();
  const removed = items.find((item) => item.url === url);
  const others = items.filter((item) => item !== removed);
  if (!removed || !savedItems.write(others.length > 0 ? others : null)) return null;
  return removed;
}

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

/**
 * Updates the count in the header, and calls `onChange` with the paths of all our own pages that are
 * saved, and the one that was added, if any. Headlines of other newsrooms are only links. Returns a
 * function that ends this.
 */
export function followSavedItems(
  onChange: (saved: string[], added: string | undefined) => void,
): () => void {
  let saved = readSavedPaths();
  const update = () => {
    savedCount.write(savedItems.read().length);
    const previous = new Set(saved);
    saved = readSavedPaths();
    const added = saved.find((path) => !previous.has(path));
    if (added || saved.length !== previous.size) onChange(saved, added);
  };
  update();
  return savedItems.subscribe(update);
}
