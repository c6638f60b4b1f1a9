import { readSavedPaths, savedItems } from "./saved-items.ts";
import { savedCount } from "./saved-link.tsx";

/**
 * Updates the count in the header, and calls `onChange` for our own pages that were saved or
 * removed. Headlines of other newsrooms are only links. Returns a function that ends this.
 */
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
