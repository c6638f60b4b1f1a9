import { AdSlots } from "./ad-slots.tsx";
import type { AdRowContent } from "./model.ts";

/** A tall place beside the text, where the screen is wide enough for one. */
export function AdColumn({ row }: { row: AdRowContent | null }) {
  if (!row) return null;
  return (
    <div className="ad-column no-print hidden min-w-0 lg:block">
      <AdSlots row={row} />
    </div>
  );
}
