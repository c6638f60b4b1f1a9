import type { Picture } from "../../lib/site-fields.server.ts";

export const placeholderTypes = ["google", "buddhatv", "dunamis"] as const;
export const adHeights = [200, 250, 600] as const;

export type HouseCard = { title: string; text: string; label: string; to: string; image: Picture };

export type AdPlace = {
  /** An id that an ad network fills, or the type of a place that is kept for somebody. */
  slot: { id: string } | { type: (typeof placeholderTypes)[number] };
  house: HouseCard;
  /** The address of the frame to try; null where no ad loader is set, or none is meant. */
  frame: string | null;
};

export type AdRowContent = { height: (typeof adHeights)[number]; places: AdPlace[] };

/** How long an ad may take to show something before the place stays with the house. */
export const giveUpAfterMs = 5_000;
/** A frame is tried when its place is about this near to being seen. */
export const nearMargin = "300px";
