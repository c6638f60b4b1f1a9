import type { EmbedContent } from "../embeds/model.ts";

export const defaultMaxItems = 5;

/** A headline as it is shown, of another's story or of a sample of ours. */
export type Headline = {
  /** Never changes, whatever else does. */
  id: string;
  title: string;
  link: string;
  source: string;
  summary: string;
  /** The same instant for machines and for readers. */
  time: { iso: string; shown: string };
  /** Other places where the same story can be read. */
  also: { source: string; link: string }[];
  paywall: boolean;
  isSample: boolean;
};

/** A feed on a page, with all that it shows when it is expanded. */
export type FeedContent = {
  id: string;
  title: string;
  description: string;
  maxItems: number;
  isExpanded: boolean;
  shows:
    | {
        kind: "headlines";
        headlines: Headline[];
        /** When the sources last answered, if that is longer ago than a day. */
        asOf: string | null;
      }
    | { kind: "widget"; embed: EmbedContent; limitedSrc: string };
};

/** Sets or replaces the widget's limit, and leaves the rest of the address as it was written. */
export function withLimit(address: string, limit: number): string {
  const [, before = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
  const pairs = query.slice(1).split("&").filter(Boolean);
  const isLimit = (pair: string) => pair.split("=", 1)[0] === "limit";
  const first = pairs.findIndex(isLimit);
  const kept = pairs
    .map((pair, index) => (index === first ? `limit=${limit}` : pair))
    .filter((pair, index) => index === first || !isLimit(pair));
  return `${before}?${[...kept, ...(first === -1 ? [`limit=${limit}`] : [])].join("&")}${fragment}`;
}
