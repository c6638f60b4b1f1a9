import { AdSlots } from "./ad-slots.tsx";
import type { AdRowContent } from "./model.ts";

/** A tall ad slot next to the text, on screens that are wide enough for it. */
export function AdColumn({ row }: { row: AdRowContent | null }) {
  if (!row) return null;
  return (
    <div className="ad-column no-print hidden min-w-0 lg:block">
      <AdSlots row={row} />
    </div>
  );
}
