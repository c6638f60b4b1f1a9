import { useDeviceValue } from "../../../ui/hooks/use-device-value.ts";
import { newItemCount } from "./new-items.ts";
import { describePastTime, newSince } from "./visits.ts";

/**
 * How many items of the page have a mark, such as "4 new since your last visit, yesterday 6:10 PM".
 * It must not move anything when it appears: it is at the end of a line that has room, or in the
 * upper right corner of a page.
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
