import { useNavigation } from "react-router";

/**
 * Says on a slow connection that the next page is loading. It becomes visible only after a moment
 * (base.css).
 */
export function Progress() {
  const isBusy = useNavigation().state !== "idle";
  return (
    <div role="status" className="no-print">
      {isBusy && <p className="progress">Loading…</p>}
    </div>
  );
}
