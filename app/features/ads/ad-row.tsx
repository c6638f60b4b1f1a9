import { AdSlot } from "./ad-slot.tsx";
import type { AdRowContent } from "./model.ts";

/** On a phone only the first place is there; the others are hidden by ads.css and load nothing. */
export function AdRow({ row }: { row: AdRowContent | null }) {
  if (!row) return null;
  return (
    <div className="ad-row page no-print mt-16 lg:mt-20">
      {row.places.map((place) => (
        <AdSlot
          key={"id" in place.slot ? place.slot.id : place.slot.type}
          place={place}
          height={row.height}
        />
      ))}
    </div>
  );
}
