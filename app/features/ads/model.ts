import { toImageKey } from "../../lib/images/art.ts";
import type { Image } from "../../site-files/site-fields.server.ts";

export const placeholderTypes = ["google", "buddhatv", "dunamis"] as const;
export const adHeights = [200, 250, 600] as const;

/** The content of the site that a house ad can show instead of the text in ads.yaml. */
export const houseAdContents = ["next-event", "newest-post", "on-air"] as const;
export type HouseAdContent = (typeof houseAdContents)[number];

/**
 * What an ad slot shows when there is no advertiser. `kicker` is a short line above the title that
 * says what the house ad is about, such as "Coming up".
 */
export type HouseAd = {
  kicker: string | null;
  title: string;
  text: string;
  link: { label: string; to: string };
  image: Image | null;
};

export type AdSlotContent = {
  /** The id of a slot that an ad network fills, or the type of a placeholder slot. */
  identity: { id: string } | { type: (typeof placeholderTypes)[number] };
  houseAd: HouseAd;
  /** The path of the frame to load; null for a placeholder, or if no ad loader is set. */
  framePath: string | null;
};

export type AdRowContent = {
  height: (typeof adHeights)[number];
  /** The label of a house ad: only a slot that shows an ad network's ad says "Advertisement". */
  houseLabel: string;
  slots: AdSlotContent[];
};

/**
 * Removes the images that the page shows elsewhere. This is for pages whose other images are not
 * known until they are rendered.
 */
export function removeShownImages(
  row: AdRowContent,
  shownPaths: ReadonlySet<string>,
): AdRowContent {
  const slots = row.slots.map((slot) => {
    const { image } = slot.houseAd;
    return image && shownPaths.has(toImageKey(image.file))
      ? { ...slot, houseAd: { ...slot.houseAd, image: null } }
      : slot;
  });
  return { ...row, slots };
}

/** If an ad shows nothing within this time, the slot keeps its house ad. */
export const adTimeoutMs = 5_000;
/** A frame starts to load when its slot is this close to the visible part of the page. */
export const preloadMargin = "300px";
