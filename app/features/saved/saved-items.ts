import { createDeviceValue, isTime } from "../../lib/device/device-value.ts";
import { isOwnPath } from "../../lib/links/own-path.ts";

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

export type SaveProblem = "list-full" | "not-stored";

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
