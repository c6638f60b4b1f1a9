import { AdSlot } from "./ad-slot.tsx";
import type { AdRowContent } from "./model.ts";

/** The slots of a row or column, in order. */
export const AdSlots = ({ row }: { row: AdRowContent }) =>
  row.slots.map((slot) => (
    <AdSlot
      key={"id" in slot.identity ? slot.identity.id : slot.identity.type}
      slot={slot}
      height={row.height}
      houseLabel={row.houseLabel}
    />
  ));
