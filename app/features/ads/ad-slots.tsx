import { AdSlot } from "./ad-slot.tsx";
import type { AdRowContent } from "./model.ts";

/** The places of a row or column, in their order. */
export const AdSlots = ({ row }: { row: AdRowContent }) =>
  row.places.map((place) => (
    <AdSlot
      key={"id" in place.slot ? place.slot.id : place.slot.type}
      place={place}
      height={row.height}
      ownLabel={row.ownLabel}
    />
  ));
