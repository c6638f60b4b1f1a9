import { Link } from "react-router";
import { useDeviceValue } from "../../ui/use-device-value.ts";
import { savedCount } from "./saved-count.ts";

/** The header's link to the saved list. The count covers a corner, so that nothing moves. */
export function SavedLink({ className }: { className: string }) {
  const count = useDeviceValue(savedCount);
  return (
    <Link to="/saved" className={`${className} relative`}>
      Saved
      {count > 0 && (
        <>
          <span className="saved-count" aria-hidden="true">
            {count}
          </span>
          <span className="sr-only">, {count === 1 ? "1 item" : `${count} items`}</span>
        </>
      )}
    </Link>
  );
}
