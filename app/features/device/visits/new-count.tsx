import { useDeviceValue } from "../../../ui/use-device-value.ts";
import { newItemCount } from "./new-items.ts";
import { describePastTime, newSince } from "./visits.ts";

/**
 * How many items of the page have a mark, such as "4 new since your last visit, yesterday 6:10 PM".
 * The caller reserves the space of one line, so that nothing moves when it appears.
 */
export function NewCount() {
  const since = useDeviceValue(newSince);
  const count = useDeviceValue(newItemCount);
  if (since === null || count === 0) return null;
  return (
    <span className="new-count">
      {count} new since your last visit, {describePastTime(since, Date.now())}
    </span>
  );
}
