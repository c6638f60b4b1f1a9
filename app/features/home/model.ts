import type { WallItem } from "../events/model.ts";
import type { ShortList } from "../feeds/model.ts";
import type { StoryCard } from "../stories/model.ts";

/** A day or an instant, for programs and for readers. */
type ShownTime = { iso: string; shown: string };

/** What the front page shows of today: the strip below the hero. */
export type Today = {
  day: ShownTime;
  /** When the headlines or the story below last changed. Null if only the day is known. */
  updated: ShownTime | null;
  local: ShortList;
  /** The next events of today. */
  events: WallItem[];
  story: StoryCard | null;
  onAir: { station: string; text: string };
};
