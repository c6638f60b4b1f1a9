import { useDeviceValue } from "../../../ui/hooks/use-device-value.ts";
import { newItemCount } from "./new-items.ts";
import { describePastTime, newSince } from "./visits.ts";

/** Says how many items have a mark. Nothing moves when it appears, because its line has room. */
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
