import { useNavigation } from "react-router";

/** Says that the next page is loading, but only after a moment (base.css). */
export function Progress() {
  const isBusy = useNavigation().state !== "idle";
  return (
    <div role="status" className="no-print">
      {isBusy && <p className="progress">Loading…</p>}
    </div>
  );
}
