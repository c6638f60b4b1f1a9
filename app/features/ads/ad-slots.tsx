import { AdSlot } from "./ad-slot.tsx";
import type { AdRowContent } from "./model.ts";

/** The places of a row or column, in their order. */
export const AdSlots = ({ row }: { row: AdRowContent }) =>
  row.slots.map((place) => (
    <AdSlot
      key={"id" in place.identity ? place.identity.id : place.identity.type}
      place={place}
      height={row.height}
      houseLabel={row.houseLabel}
    />
  ));
