import { useNavigation } from "react-router";

/**
 * A sign of life on a slow line: the next page is on its way. It shows itself only after a moment
 * (base.css).
 */
export function Progress() {
  const busy = useNavigation().state !== "idle";
  return (
    <div role="status" className="no-print">
      {busy && (
        <div className="progress">
          <span className="sr-only">Loading</span>
        </div>
      )}
    </div>
  );
}
