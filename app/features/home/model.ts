import type { WallItem } from "../events/model.ts";
import type { GoodToKnow, Headline, Report, ShortList } from "../feeds/model.ts";
import type { StoryCard } from "../stories/model.ts";

/** A day or an instant, for programs and for readers. */
type ShownTime = { iso: string; shown: string };

/** The most important item of the day. Only a story of ours has an image. */
export type Lead =
  | { kind: "story"; story: StoryCard }
  | { kind: "headline"; headline: Headline }
  | { kind: "good-to-know"; item: GoodToKnow; signature: string };

/** What the front page shows of today: the strip below the hero. */
export type Today = {
  day: ShownTime;
  /** The brief that readers can read: not that of today in the hours before it is made. */
  brief: "today" | "yesterday" | null;
  /** The weather in one line. Null if it is not known. */
  weather: string | null;
  /**
   * When the headlines or our story last changed. Null if that is today without a time, which `day`
   * says already, or if nothing has changed yet.
   */
  updated: ShownTime | null;
  /** Null in a city that has nothing to show yet. */
  lead: Lead | null;
  /** Other newsrooms that report the same news as the lead. */
  alsoReportedBy: Report[];
  /** The headlines or good-to-know items besides the lead. */
  local: ShortList;
  events: WallItem[];
  /** Null in a city without a radio. */
  onAir: { station: string; text: string } | null;
};
