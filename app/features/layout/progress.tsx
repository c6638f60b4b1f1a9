import { useNavigation } from "react-router";

/**
 * Shows on a slow connection that the next page is loading. It becomes visible only after a moment
 * (base.css).
 */
export function Progress() {
  const isBusy = useNavigation().state !== "idle";
  return (
    <div role="status" className="no-print">
      {isBusy && (
        <div className="progress">
          <span className="sr-only">Loading</span>
        </div>
      )}
    </div>
  );
}
