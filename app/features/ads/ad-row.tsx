import { findImagePaths } from "../../lib/images/art.ts";
import { AdSlots } from "./ad-slots.tsx";
import { type AdRowContent, removeShownImages } from "./model.ts";

type Props = {
  row: AdRowContent | null;
  /** Page content that was not known yet when the server prepared the row. */
  otherContent?: unknown;
};

/**
 * On a phone only the first slot of the row shows: ads.css hides the others, so they load nothing.
 */
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
