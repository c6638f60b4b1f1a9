import { useEffect } from "react";
import { createMemoryValue } from "../../../lib/device/device-value.ts";
import { useDeviceValue } from "../../../ui/hooks/use-device-value.ts";
import { describePastTime, newSince } from "./visits.ts";

type Props = {
  /** Identifies the item. An item that is on a page twice counts once. */
  id: string;
  /** When we published the item or, for a headline, found it. A string is in ISO 8601 format. */
  time: Date | string;
};

/**
 * A dot next to an item of a list that is newer than the reader's last visit. Put it into an
 * element with a position, before the title. It appears after hydration, and takes no space.
 */
export function NewMark({ id, time }: Props) {
  const since = useDeviceValue(newSince);
  const isNew = since !== null && new Date(time).getTime() > since;
  useEffect(() => (isNew ? addNewItem(id) : undefined), [isNew, id]);
  if (!isNew) return null;
  return (
    <span className="new-mark">
      <span className="sr-only">New: </span>
    </span>
  );
}

const marks = new Map<string, number>();

const newItemCount = createMemoryValue(0);

/** Counts an item. Returns a function that ends this, for when the item leaves the page. */
function addNewItem(id: string): () => void {
  change(id, 1);
  return () => change(id, -1);
}

function change(id: string, step: number): void {
  const count = (marks.get(id) ?? 0) + step;
  if (count > 0) marks.set(id, count);
  else marks.delete(id);
  newItemCount.write(marks.size);
}

/**
 * Says how many items of the page have a mark. It must not move anything when it appears, so put it
 * at the end of a line that has room, or in the upper right corner of a page.
 */
export function NewCount({ isInCorner = false }: { isInCorner?: boolean }) {
  const since = useDeviceValue(newSince);
  const count = useDeviceValue(newItemCount);
  if (since === null || count === 0) return null;
  return (
    <p className={isInCorner ? "new-count absolute top-1 right-(--page-edge)" : "new-count"}>
      {count} new since <span className="max-sm:hidden">your last visit, </span>
      {describePastTime(since, Date.now())}
    </p>
  );
}
