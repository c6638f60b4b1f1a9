import { createMemoryValue } from "../../../lib/device/memory-value.ts";

const marks = new Map<string, number>();

/** How many different items of the page have a mark. */
export const newItemCount = createMemoryValue(0);

/** Counts an item. Returns a function that ends this, for when the item leaves the page. */
export function addNewItem(id: string): () => void {
  change(id, 1);
  return () => change(id, -1);
}

function change(id: string, step: number): void {
  const count = (marks.get(id) ?? 0) + step;
  if (count > 0) marks.set(id, count);
  else marks.delete(id);
  newItemCount.write(marks.size);
}
