import { readSavedPaths, savedItems } from "./saved-items.ts";
import { savedCount } from "./saved-link.tsx";

/** Counts for the header, and passes on which of our own pages were saved or removed. */
export function followSavedItems(onChange: (path: string, isSaved: boolean) => void): () => void {
  let pages = new Set(readSavedPaths());
  const update = () => {
    savedCount.write(savedItems.read().length);
    const previous = pages;
    pages = new Set(readSavedPaths());
    for (const path of pages.difference(previous)) onChange(path, true);
    for (const path of previous.difference(pages)) onChange(path, false);
  };
  update();
  return savedItems.subscribe(update);
}
