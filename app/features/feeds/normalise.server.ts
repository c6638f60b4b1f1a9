import type { AnyFeed } from "feedsmith";
import { identityOf, oneLine, plainText, summary, title, webLink } from "./clean.server.ts";
import { feedDate, isDayOnly } from "./feed-dates.ts";
import type { ParsedFeed } from "./parse.server.ts";

/** One item as the rest of the engine knows it, whatever it was written in. */
export type Item = {
  /** The same for the same item of the same feed, whatever else of it changes. */
  key: string;
  title: string;
  link: string;
  identity: string;
  summary: string;
  publishedAt: Date | null;
};

type Raw = {
  guid?: string | undefined;
  link?: string | undefined;
  title: string;
  text: string;
  dates: (string | undefined)[];
  base?: string | undefined;
};

/** What the future may hold, in case of a clock that is wrong. */
const aheadMs = 60 * 60 * 1000;

/** Every item of a feed that a reader could use. `url` is where the feed was found. */
export function normalise(
  { feed: parsed }: Extract<ParsedFeed, { kind: "feed" }>,
  url: string,
  now: Date,
): Item[] {
  const { items, base, home } = rawItems(parsed);
  const feedBase = webLink(base, url) ?? url;
  const homeLink = webLink(home, feedBase);
  const seen = new Set<string>();
  return items.flatMap((raw): Item[] => {
    const item = itemOf(raw, webLink(raw.base, feedBase) ?? feedBase, homeLink, now);
    if (!item || seen.has(item.key)) return [];
    seen.add(item.key);
    return [item];
  });
}

function itemOf(raw: Raw, base: string, homeLink: string | null, now: Date): Item | null {
  const text = plainText(raw.text);
  // Some have a text and no title; its beginning has to do.
  const headline = title(plainText(raw.title) || firstSentence(text));
  if (headline === "") return null;
  const own = webLink(raw.link, base) ?? (/^https?:/i.test(raw.guid ?? "") ? webLink(raw.guid, base) : null);
  const link = own ?? homeLink;
  if (!link) return null;
  const identity = own ? identityOf(own) : `title:${new URL(link).host}:${headline.toLowerCase()}`;
  return {
    key: (oneLine(raw.guid ?? "") || identity).slice(0, 500).toWellFormed(),
    title: headline,
    link,
    identity: identity.slice(0, 500).toWellFormed(),
    summary: summary(text, headline),
    publishedAt: firstDate(raw.dates, now),
  };
}

const firstSentence = (text: string) =>
  /^.{10,120}?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.slice(0, 120).toWellFormed();

function firstDate(dates: (string | undefined)[], now: Date): Date | null {
  for (const written of dates) {
    const date = written === undefined ? null : feedDate(written);
    // A date that has not come yet would keep its story on top until it does.
    if (date && earliestMs(date) <= now.getTime() + aheadMs) return date;
  }
  return null;
}

/** A day has come with its first minute, not only at the noon that it is stored as. */
const earliestMs = (date: Date) =>
  isDayOnly(date) ? new Date(date).setUTCHours(0, 0, 0, 0) : date.getTime();

type RawFeed = { items: Raw[]; base?: string | undefined; home?: string | undefined };

function rawItems(parsed: AnyFeed): RawFeed {
  switch (parsed.format) {
    case "rss":
      return {
        base: parsed.feed.xml?.base,
        home: parsed.feed.link,
        items: (parsed.feed.items ?? []).map((item) => ({
          guid: item.guid?.value,
          link: item.link,
          title: item.title ?? item.media?.title?.value ?? "",
          text: item.description ?? item.content?.encoded ?? "",
          dates: [item.pubDate, ...(item.dc?.dates ?? []), item.atom?.published, item.atom?.updated],
          base: item.xml?.base,
        })),
      };
    case "rdf":
      return {
        home: parsed.feed.link,
        items: (parsed.feed.items ?? []).map((item) => ({
          guid: item.rdf?.about,
          link: item.link,
          title: item.title ?? "",
          text: item.description ?? item.content?.encoded ?? "",
          dates: item.dc?.dates ?? [],
        })),
      };
    case "atom":
      return {
        base: parsed.feed.xml?.base,
        home: alternate(parsed.feed.links),
        items: (parsed.feed.entries ?? []).map((entry) => ({
          guid: entry.id,
          link: alternate(entry.links),
          title: atomText(entry.title),
          text: atomText(entry.summary) || atomText(entry.content),
          dates: [entry.published, entry.updated],
          base: entry.xml?.base,
        })),
      };
    case "json":
      return {
        home: parsed.feed.home_page_url,
        items: (parsed.feed.items ?? []).map((item) => ({
          guid: item.id,
          link: item.url ?? item.external_url,
          title: item.title ?? "",
          text: item.summary ?? item.content_html ?? item.content_text ?? "",
          dates: [item.date_published, item.date_modified],
        })),
      };
  }
}

type AtomLink = { href?: string; rel?: string };

const alternate = (links: AtomLink[] | undefined) =>
  (
    links?.find(({ rel }) => rel === undefined || rel === "alternate") ??
    links?.find(({ rel }) => rel !== "self")
  )?.href;

type AtomText = { value?: string; type?: string };

/** Text that calls itself plain keeps its angle brackets as letters. */
function atomText(text: AtomText | undefined): string {
  const value = text?.value ?? "";
  return text?.type === undefined || text.type === "text"
    ? value.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    : value;
}
