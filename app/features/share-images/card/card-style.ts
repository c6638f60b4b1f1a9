import { mix } from "../../../lib/look/colors.ts";
import type { Look } from "../../brand/look-file.server.ts";
import { type FontStack, stacks } from "../text/fonts.server.ts";

export type CardStyle = {
  colors: Record<
    "navy" | "cream" | "soft" | "gold" | "onGold" | "crab" | "water" | "wave",
    string
  > & { rings: string[] };
  serif: FontStack;
  sans: FontStack;
};

/** Cards are like the dark areas of the site. */
export function createCardStyle({ colors, fonts }: Look): CardStyle {
  const { band, dateTile, onBand, onBandSoft, highlight, onHighlight, signal, horizon } = colors;
  return {
    ...stacks[fonts],
    colors: {
      navy: band.light,
      cream: onBand.light,
      soft: onBandSoft.light,
      gold: highlight.light,
      onGold: onHighlight.light,
      crab: signal.light,
      rings: [0.2, 0.45, 0.8].map((share) => mix(band.light, dateTile.dark, share)),
      water: horizon.light,
      wave: mix(horizon.light, onBandSoft.light, 0.3),
    },
  };
}
