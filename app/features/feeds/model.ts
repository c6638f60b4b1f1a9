import type { EmbedContent } from "../embeds/model.ts";

/**
 * The sections of the specification, which are pages of their own; what each holds is said in the
 * city's sections.yaml.
 */
export const sectionNames =
  "local national world politics business technology automotive realestate health sports culture food lifestyle opinion".split(
    " ",
  );

export const defaultMaxItems = 5;

/** The headline of another newsroom's story, as it is shown. */
export type Headline = {
  /** Never changes, whatever else does. */
  id: string;
  title: string;
  link: string;
  source: string;
  summary: string;
  /** For machines and for readers: an instant, or only a day where the source gives no more. */
  time: { iso: string; shown: string };
  /** Other places where the same story can be read. */
  also: { source: string; link: string }[];
  paywall: boolean;
};

/**
 * A lasting fact or hint of our own, shown where there are no headlines. It is not news, so it has
 * no time.
 */
export type GoodToKnow = {
  title: string;
  summary: string;
  /** A page of ours, or somebody else's under their own name. */
  link: string | { name: string; url: string };
};

/** The items in the order of a day: the next day begins where the first `shown` of them end. */
export function rotateDaily<Item>(items: Item[], day: string, shown: number): Item[] {
  const step = shown < items.length ? shown : 1;
  const start = ((Date.parse(day) / dayMs) * step) % Math.max(items.length, 1);
  return [...items.slice(start), ...items.slice(0, start)];
}

const dayMs = 24 * 60 * 60 * 1000;

export type Newsroom = { name: string; url: string; paywall: boolean };

/** A feed on a page, with all that it shows when it is expanded. */
export type FeedContent = {
  id: string;
  title: string;
  description: string;
  maxItems: number;
  isExpanded: boolean;
  /** The newsrooms whose headlines the feed shows, or waits for. */
  newsrooms: Newsroom[];
  shows:
    | {
        kind: "headlines";
        headlines: Headline[];
        /** When the sources last answered, if that is longer ago than a day. */
        asOf: string | null;
      }
    | {
        kind: "good-to-know";
        items: GoodToKnow[];
        /** Who wrote them. */
        signature: string;
        /** Whether no headline has arrived, or, in the archive, none is old enough. */
        because: "none-yet" | "none-old-enough";
      }
    | { kind: "widget"; embed: EmbedContent; limitedSrc: string };
};

/** Sets or replaces the widget's limit, and leaves the rest of the address as it was written. */
export function withLimit(address: string, limit: number): string {
  const [, before = "", query = "", fragment = ""] =
    /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
  const pairs = query.slice(1).split("&").filter(Boolean);
  const isLimit = (pair: string) => pair.split("=", 1)[0] === "limit";
  const first = pairs.findIndex(isLimit);
  const kept = pairs
    .map((pair, index) => (index === first ? `limit=${limit}` : pair))
    .filter((pair, index) => index === first || !isLimit(pair));
  return `${before}?${[...kept, ...(first === -1 ? [`limit=${limit}`] : [])].join("&")}${fragment}`;
}
