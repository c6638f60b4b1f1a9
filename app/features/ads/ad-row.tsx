import { findImagePaths } from "../../lib/images/art.ts";
import { AdSlot } from "./ad-slot.tsx";
import { type AdRowContent, removeShownImages } from "./model.ts";

type Props = {
  row: AdRowContent | null;
  /** Page content that was not known yet when the server prepared the row. */
  otherContent?: unknown;
};

/** On a phone, ads.css hides all slots of the row except the first, so they load nothing. */
export function AdRow({ row: preparedRow, otherContent }: Props) {
  if (!preparedRow) return null;
  const row =
    otherContent === undefined
      ? preparedRow
      : removeShownImages(preparedRow, findImagePaths(otherContent));
  return (
    <div className="ad-row page no-print mt-16 grid auto-cols-fr grid-flow-col gap-6 lg:mt-20 lg:gap-8">
      <AdSlots row={row} />
    </div>
  );
}

/** A tall ad slot next to the text, on screens that are wide enough for it. */
export function AdColumn({ row }: { row: AdRowContent | null }) {
  if (!row) return null;
  return (
    <div className="ad-column no-print hidden min-w-0 lg:block">
      <AdSlots row={row} />
    </div>
  );
}

const AdSlots = ({ row: { slots, height, houseLabel } }: { row: AdRowContent }) =>
  slots.map((slot) => (
    <AdSlot
      key={"id" in slot.identity ? slot.identity.id : slot.identity.type}
      slot={slot}
      height={height}
      houseLabel={houseLabel}
    />
  ));
