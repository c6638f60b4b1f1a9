import { createMemoryValue } from "../../lib/device/device-value.ts";
import { useDeviceValue } from "../../ui/hooks/use-device-value.ts";
import { Link } from "../../ui/link.tsx";

/** The header's link to the saved list. The count covers a corner, so that nothing moves. */
export function SavedLink({ className }: { className: string }) {
  const count = useDeviceValue(savedCount);
  const label = count === 0 ? undefined : `Saved, ${count} ${count === 1 ? "item" : "items"}`;
  return (
    <Link to="/saved" className={`${className} relative`} aria-label={label}>
      Saved
      {count > 0 && (
        <span className="absolute -top-2 -right-2 min-w-5 rounded-full bg-gold px-1 text-on-gold text-xs/5">
          {count}
        </span>
      )}
    </Link>
  );
}

/** How many items the reader has saved. The header shows it without loading the list itself. */
export const savedCount = createMemoryValue(0);
