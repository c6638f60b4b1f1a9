import { imagePathOf } from "../../lib/site/art.ts";
import type { Image } from "../../lib/site/site-fields.server.ts";

export const placeholderTypes = ["google", "buddhatv", "dunamis"] as const;
export const adHeights = [200, 250, 600] as const;

/** What a house card may show of the site's own records instead of its written words. */
export const houseAdContents = ["next-event", "newest-post", "on-air"] as const;
export type HouseAdContent = (typeof houseAdContents)[number];

/**
 * A card of our own. `kicker` says what kind of thing it shows, where that is not plain from its
 * words.
 */
export type HouseAd = {
  kicker: string | null;
  title: string;
  text: string;
  link: { label: string; to: string };
  image: Image | null;
};

export type AdSlotContent = {
  /** An id that an ad network fills, or the type of a place that is kept for somebody. */
  identity: { id: string } | { type: (typeof placeholderTypes)[number] };
  houseAd: HouseAd;
  /** The address of the frame to try; null where no ad loader is set, or none is meant. */
  framePath: string | null;
};

export type AdRowContent = {
  height: (typeof adHeights)[number];
  /** The label of a house card: a place is an advertisement only when it was sold. */
  houseLabel: string;
  slots: AdSlotContent[];
};

/**
 * The row without the images that its page shows elsewhere, where that is known only when the page
 * is drawn.
 */
export function removeShownImages(row: AdRowContent, shown: ReadonlySet<string>): AdRowContent {
  const places = row.slots.map((place) => {
    const { image } = place.houseAd;
    return image && shown.has(imagePathOf(image.file))
      ? { ...place, houseAd: { ...place.houseAd, image: null } }
      : place;
  });
  return { ...row, slots: places };
}

/** How long an ad may take to show something before the place stays with the house. */
export const adTimeoutMs = 5_000;
/** A frame is tried when its place is about this near to being seen. */
export const preloadMargin = "300px";
