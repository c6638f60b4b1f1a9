import type { AnyFeed } from "feedsmith";
import { escapeHtml } from "../../../lib/text/html.ts";
import { isDayOnly, parseFeedDate } from "../feed-dates.ts";
import {
  htmlToVisibleLine,
  toIdentity,
  toLine,
  toSummary,
  toWebLink,
  truncateTitle,
} from "./clean.server.ts";
import type { ParsedFeed } from "./parse.server.ts";

/** A feed item in a form that is the same for all feed formats. */
export type Item = {
  /** Identifies the item within its feed. The key stays the same when the item is edited. */
  key: string;
  title: string;
  link: string;
  identity: string;
  summary: string;
  publishedAt: Date | null;
};

/**
 * The fields of an item as they are in the feed. Of several values, the first usable one counts.
 */
type RawItem = {
  guid?: string | undefined;
  links: (string | undefined)[];
  titles: (string | undefined)[];
  texts: (string | undefined)[];
  dates: (string | undefined)[];
  base?: string | undefined;
};

/** How far in the future a date may be, since a source's clock may be wrong. */
const maxAheadMs = 60 * 60 * 1000;

/** Returns every item that has a title and a link. `url` is the URL of the feed. */
export function normalize(
  { feed: parsed }: Extract<ParsedFeed, { kind: "feed" }>,
  url: string,
  now: Date,
): Item[] {
  const { items, base, home } = toRawFeed(parsed);
  const feedBase = toWebLink(base, url) ?? url;
  const homeLink = toWebLink(home, feedBase);
  return dedupeItems(
    items.flatMap(
      (raw) => toItem(raw, toWebLink(raw.base, feedBase) ?? feedBase, homeLink, now) ?? [],
    ),
  );
}

function toItem(raw: RawItem, base: string, homeLink: string | null, now: Date): Item | null {
  // A description may contain only an image. Then the text is in another field.
  const text = findFirstText(raw.texts);
  // If an item has text but no title, the first sentence of the text becomes the title.
  const headline = truncateTitle(findFirstText(raw.titles) || takeFirstSentence(text));
  if (headline === "") return null;
  const guidLink = /^https?:/i.test(raw.guid ?? "") ? raw.guid : undefined;
  const ownLink = findFirst([...raw.links, guidLink], (link) => toWebLink(link, base));
  const link = ownLink ?? homeLink;
  if (!link) return null;
  const identity = ownLink
    ? toIdentity(ownLink)
    : `title:${new URL(link).host}:${headline.toLowerCase()}`;
  return {
    key: truncateKey(toLine(raw.guid ?? "") || identity),
    title: headline,
    link,
    identity: truncateKey(identity),
    summary: toSummary(text, headline),
    publishedAt: findFirstDate(raw.dates, now),
  };
}

const truncateKey = (key: string) => key.slice(0, 500).toWellFormed();

/**
 * Removes duplicates. Some feeds give all their items the same guid, or link all of them to one
 * page. Items with the same guid but different titles are distinguished by their links, and items
 * with the same link by their titles.
 */
function dedupeItems(items: Item[]): Item[] {
  const sharedGuids = findShared(items, ({ key }) => key);
  const byLink = items.map((item) =>
    sharedGuids.has(item.key) ? { ...item, key: item.identity } : item,
  );
  const sharedLinks = findShared(byLink, ({ identity }) => identity);
  const byTitle = byLink.map((item) => {
    if (!sharedLinks.has(item.identity)) return item;
    const identity = truncateKey(
      `title:${item.identity.slice(0, 150)}:${item.title.toLowerCase()}`,
    );
    return { ...item, identity, key: item.key === item.identity ? identity : item.key };
  });
  return [
    ...new Map(byTitle.map((item) => [item.key, item] as const).reverse()).values(),
  ].reverse();
}

/** Returns the keys or identities that items with different titles share. */
function findShared(items: Item[], getKey: (item: Item) => string): Set<string> {
  const groups = [...Map.groupBy(items, getKey)];
  return new Set(
    groups
      .filter(([, group]) => group.some(({ title }) => title !== group[0]?.title))
      .map(([key]) => key),
  );
}

/** Returns the first value that `convert` gets from one of the fields, or null. */
function findFirst<T>(
  fields: (string | undefined)[],
  convert: (field: string) => T | null,
): T | null {
  for (const field of fields) {
    const value = field === undefined ? null : convert(field);
    if (value !== null) return value;
  }
  return null;
}

const findFirstText = (fields: (string | undefined)[]) =>
  findFirst(fields, (html) => htmlToVisibleLine(html) || null) ?? "";

const takeFirstSentence = (text: string) =>
  /^.{10,120}?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.slice(0, 120).toWellFormed();

function findFirstDate(dates: (string | undefined)[], now: Date): Date | null {
  return findFirst(dates, (field) => {
    const date = parseFeedDate(field);
    // A date in the future would keep the headline on top until that day.
    return date && startOfDateMs(date) <= now.getTime() + maxAheadMs ? date : null;
  });
}

/** A date without a time is stored as noon, but counts as past as soon as the day has begun. */
const startOfDateMs = (date: Date) =>
  isDayOnly(date) ? new Date(date).setUTCHours(0, 0, 0, 0) : date.getTime();

type RawFeed = { items: RawItem[]; base?: string | undefined; home?: string | undefined };

function toRawFeed(parsed: AnyFeed): RawFeed {
  switch (parsed.format) {
    case "rss":
      return {
        base: parsed.feed.xml?.base,
        home: parsed.feed.link ?? findPageLink(parsed.feed.atom?.links),
        items: (parsed.feed.items ?? []).map(({ dc, media, atom, ...item }) => ({
          guid: item.guid?.value,
          links: [item.link, findPageLink(atom?.links)],
          titles: [item.title, ...(dc?.titles ?? []), media?.title?.value],
          texts: [item.description, item.content?.encoded, media?.description?.value],
          dates: [item.pubDate, ...(dc?.dates ?? []), atom?.published, atom?.updated],
          base: item.xml?.base,
        })),
      };
    case "rdf":
      return {
        home: parsed.feed.link,
        items: (parsed.feed.items ?? []).map(({ dc, ...item }) => ({
          guid: item.rdf?.about,
          links: [item.link],
          titles: [item.title, ...(dc?.titles ?? [])],
          texts: [item.description, item.content?.encoded],
          dates: dc?.dates ?? [],
        })),
      };
    case "atom":
      return {
        base: parsed.feed.xml?.base,
        home: findPageLink(parsed.feed.links),
        items: (parsed.feed.entries ?? []).map(({ media, ...entry }) => ({
          guid: entry.id,
          links: [findPageLink(entry.links)],
          titles: [atomTextToHtml(entry.title), media?.title?.value],
          texts: [
            atomTextToHtml(entry.summary),
            atomTextToHtml(entry.content),
            media?.description?.value,
          ],
          dates: [entry.published, entry.updated],
          base: entry.xml?.base,
        })),
      };
    case "json":
      return {
        home: parsed.feed.home_page_url,
        items: (parsed.feed.items ?? []).map((item) => ({
          guid: item.id,
          links: [item.url, item.external_url],
          titles: [item.title],
          texts: [item.summary, item.content_html, escapeHtml(item.content_text ?? "")],
          dates: [item.date_published, item.date_modified],
        })),
      };
  }
}

type AtomLink = { href?: string; rel?: string };

/** Returns the URL of the web page that an Atom feed or entry belongs to. */
const findPageLink = (links: AtomLink[] | undefined) =>
  (
    links?.find(({ rel }) => rel === undefined || rel === "alternate") ??
    links?.find(({ rel }) => rel !== "self")
  )?.href;

type AtomText = { value?: string; type?: string };

/**
 * Converts an Atom text to HTML. In one of type "text", angle brackets are characters, not tags.
 */
function atomTextToHtml(text: AtomText | undefined): string {
  const value = text?.value ?? "";
  return text?.type === undefined || text.type === "text" ? escapeHtml(value) : value;
}
