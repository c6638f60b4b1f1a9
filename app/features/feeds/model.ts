import type { EmbedContent } from "../embeds/model.ts";

/**
 * The sections that a city can have, each with a page. A city has only those that are in its
 * sections.yaml.
 */
export const sectionNames =
  "local national world politics business technology automotive realestate health sports culture food lifestyle opinion".split(
    " ",
  );

/** The section whose headlines /news shows before all others. */
export const localSection = "local";
/** The section /news, whose feed shows the newest headlines of the sources with `front: true`. */
export const newsSection = "news";
/** The section /archives, whose feed shows the headlines that are a week old. */
export const archiveSection = "archives";

export const defaultMaxItems = 5;

/** What another newsroom has published about the same news. */
export type Report = { source: string; link: string };

export type Headline = {
  /** The id stays the same when the headline is edited. */
  id: string;
  title: string;
  link: string;
  source: string;
  summary: string;
  /** The time for programs and for readers, or only the date if the source gives no time. */
  time: { iso: string; shown: string };
  /** When we found the headline: from then on, readers could see it here. */
  foundAt: string;
  /** Other sources that have the same headline. */
  also: Report[];
  paywall: boolean;
  /** The section of a headline that is not local, such as "World", on a page that shows several. */
  label?: string;
};

/** An entry by our editors, shown if there are no headlines. It is not news, so it has no time. */
export type GoodToKnow = {
  title: string;
  summary: string;
  /** The path of one of our pages, or another site with its name. */
  link: string | { name: string; url: string };
};

/**
 * Rotates the items by day. Pages show the first `shownCount` items, so the next day begins with
 * the item after those. If there is no such item, the next day begins with the second item.
 */
export function rotateDaily<Item>(items: Item[], day: string, shownCount: number): Item[] {
  const step = shownCount < items.length ? shownCount : 1;
  const start = ((Date.parse(day) / dayMs) * step) % Math.max(items.length, 1);
  return [...items.slice(start), ...items.slice(0, start)];
}

const dayMs = 24 * 60 * 60 * 1000;

/** Another newsroom, and the source by which its headlines can be followed. */
export type Publisher = { name: string; url: string; paywall: boolean; sourceId: string };

/** A feed on a page, with everything that it shows when it is expanded. */
export type FeedContent = {
  id: string;
  title: string;
  description: string;
  maxItems: number;
  isExpanded: boolean;
  /** The newsrooms whose headlines the feed shows, or will show once they arrive. */
  publishers: Publisher[];
  shows:
    | {
        kind: "headlines";
        headlines: Headline[];
        /** When we last fetched one of the sources, if that is more than a day ago. */
        lastUpdated: string | null;
      }
    | {
        kind: "good-to-know";
        items: GoodToKnow[];
        signature: string;
        /** Why there are no headlines: none arrived, is old enough, or names the neighborhood. */
        reason: "none-yet" | "none-old-enough" | "none-about-place";
      }
    | {
        kind: "widget";
        embed: EmbedContent;
        /** The URL of the widget with at most `maxItems` headlines, for the collapsed feed. */
        limitedSrc: string;
      };
};

/** The query parameter that says which feed of a page is expanded. */
export const expandedParam = "all";

/** A few headlines or, if there are none, good-to-know items. */
export type ShortList =
  | { kind: "headlines"; headlines: Headline[] }
  | { kind: "good-to-know"; items: GoodToKnow[]; signature: string };

/** The newest headlines of a section, on a page that shows several sections. */
export type HeadlineBlock = { path: string; label: string; list: ShortList };

/** Sets the `limit` parameter of a widget's URL. The rest of the URL does not change. */
export function withLimit(url: string, limit: number): string {
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  const pairs = query.slice(1).split("&").filter(Boolean);
  const isLimit = (pair: string) => pair.split("=", 1)[0] === "limit";
  const limitIndex = pairs.findIndex(isLimit);
  const limited = pairs
    .map((pair, index) => (index === limitIndex ? `limit=${limit}` : pair))
    .filter((pair, index) => index === limitIndex || !isLimit(pair));
  return `${path}?${[...limited, ...(limitIndex === -1 ? [`limit=${limit}`] : [])].join("&")}${fragment}`;
}
