import { imagesIn } from "../../lib/site/art.ts";
import { AdSlots } from "./ad-slots.tsx";
import { type AdRowContent, removeShownImages } from "./model.ts";

type Props = {
  row: AdRowContent | null;
  /** What the page shows that the row's loader did not know of. */
  otherContent?: unknown;
};

/** On a phone only the first place is there; the others are hidden by ads.css and load nothing. */
export function AdRow({ row: loaded, otherContent }: Props) {
  if (!loaded) return null;
  const row =
    otherContent === undefined ? loaded : removeShownImages(loaded, imagesIn(otherContent));
  return (
    <div className="ad-row page no-print mt-16 lg:mt-20">
      <AdSlots row={row} />
    </div>
  );
}
