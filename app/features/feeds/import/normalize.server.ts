import type { AnyFeed } from "feedsmith";
import { oneLine, plainText, summary, title, toIdentity, webLink } from "./clean.server.ts";
import { isDayOnly, parseFeedDate } from "./feed-dates.ts";
import type { ParsedFeed } from "./parse.server.ts";

/** One feed item in a common form, whatever the format of its feed. */
export type Item = {
  /** Identifies the item within its feed. Stays the same when the item is edited. */
  key: string;
  title: string;
  link: string;
  identity: string;
  summary: string;
  publishedAt: Date | null;
};

/**
 * The fields of an item as the feed has them. Of several candidates for one value, the first usable
 * one is used.
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

/** Every item of a feed that has a title and a link. `url` is the URL of the feed. */
export function normalize(
  { feed: parsed }: Extract<ParsedFeed, { kind: "feed" }>,
  url: string,
  now: Date,
): Item[] {
  const { items, base, home } = rawItems(parsed);
  const feedBase = webLink(base, url) ?? url;
  const homeLink = webLink(home, feedBase);
  return dedupeItems(
    items.flatMap(
      (raw) => toItem(raw, webLink(raw.base, feedBase) ?? feedBase, homeLink, now) ?? [],
    ),
  );
}

function toItem(raw: RawItem, base: string, homeLink: string | null, now: Date): Item | null {
  // A description may contain only an image. Then the text is in another field.
  const text = firstText(raw.texts);
  // Some items have a text but no title. Then its first sentence is the title.
  const headline = title(firstText(raw.titles) || firstSentence(text));
  if (headline === "") return null;
  const guidLink = /^https?:/i.test(raw.guid ?? "") ? raw.guid : undefined;
  const own = firstOf([...raw.links, guidLink], (link) => webLink(link, base));
  const link = own ?? homeLink;
  if (!link) return null;
  const identity = own ? toIdentity(own) : `title:${new URL(link).host}:${headline.toLowerCase()}`;
  return {
    key: storedKey(oneLine(raw.guid ?? "") || identity),
    title: headline,
    link,
    identity: storedKey(identity),
    summary: summary(text, headline),
    publishedAt: firstDate(raw.dates, now),
  };
}

const storedKey = (key: string) => key.slice(0, 500).toWellFormed();

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
    const identity = storedKey(`title:${item.identity.slice(0, 150)}:${item.title.toLowerCase()}`);
    return { ...item, identity, key: item.key === item.identity ? identity : item.key };
  });
  return [
    ...new Map(byTitle.map((item) => [item.key, item] as const).reverse()).values(),
  ].reverse();
}

/** The names (guids or links) that items with different titles share. */
function findShared(items: Item[], getName: (item: Item) => string): Set<string> {
  const groups = [...Map.groupBy(items, getName)];
  return new Set(
    groups
      .filter(([, group]) => group.some(({ title }) => title !== group[0]?.title))
      .map(([name]) => name),
  );
}

/**
 * Gives dates to the undated items of a source that is read for the first time. Otherwise they
 * would count as new and be shown above all others. Each gets the older date of its neighbors, so
 * that it keeps its place in the feed.
 */
export function dateUndated(items: Item[]): Item[] {
  const before = datesUpTo(items);
  const after = datesUpTo(items.toReversed()).reverse();
  return items.map((item, index) => {
    const neighbors = [before[index], after[index]].flatMap((date) => date?.getTime() ?? []);
    const older = neighbors.length > 0 ? new Date(Math.min(...neighbors)) : null;
    return { ...item, publishedAt: item.publishedAt ?? older };
  });
}

/** For each item, its own date or that of the nearest dated item before it. */
function datesUpTo(items: Item[]): (Date | null)[] {
  let last: Date | null = null;
  return items.map(({ publishedAt }) => {
    last = publishedAt ?? last;
    return last;
  });
}

/** The first value that `read` gets from one of the fields, or null. */
function firstOf<T>(fields: (string | undefined)[], read: (field: string) => T | null): T | null {
  for (const field of fields) {
    const value = field === undefined ? null : read(field);
    if (value !== null) return value;
  }
  return null;
}

const firstText = (fields: (string | undefined)[]) =>
  firstOf(fields, (html) => plainText(html) || null) ?? "";

const firstSentence = (text: string) =>
  /^.{10,120}?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.slice(0, 120).toWellFormed();

function firstDate(dates: (string | undefined)[], now: Date): Date | null {
  return firstOf(dates, (written) => {
    const date = parseFeedDate(written);
    // A date in the future would keep the headline on top until that day.
    return date && earliestMs(date) <= now.getTime() + maxAheadMs ? date : null;
  });
}

/** A date without a time is stored as noon, but it is not in the future once the day has begun. */
const earliestMs = (date: Date) =>
  isDayOnly(date) ? new Date(date).setUTCHours(0, 0, 0, 0) : date.getTime();

type RawFeed = { items: RawItem[]; base?: string | undefined; home?: string | undefined };

function rawItems(parsed: AnyFeed): RawFeed {
  switch (parsed.format) {
    case "rss":
      return {
        base: parsed.feed.xml?.base,
        home: parsed.feed.link ?? alternate(parsed.feed.atom?.links),
        items: (parsed.feed.items ?? []).map(({ dc, dcterms, media, itunes, atom, ...item }) => ({
          guid: item.guid?.value ?? atom?.id,
          links: [item.link, alternate(atom?.links)],
          titles: [
            item.title,
            ...dublinTitles(dc, dcterms),
            media?.title?.value,
            itunes?.title,
            atomText(atom?.title),
          ],
          texts: [
            item.description,
            item.content?.encoded,
            ...(dc?.descriptions ?? []),
            media?.description?.value,
            itunes?.summary,
            atomText(atom?.summary),
            atomText(atom?.content),
          ],
          dates: [item.pubDate, ...dublinDates(dc, dcterms), atom?.published, atom?.updated],
          base: item.xml?.base,
        })),
      };
    case "rdf":
      return {
        home: parsed.feed.link,
        items: (parsed.feed.items ?? []).map(({ dc, dcterms, atom, ...item }) => ({
          guid: item.rdf?.about,
          links: [item.link, alternate(atom?.links)],
          titles: [item.title, ...dublinTitles(dc, dcterms)],
          texts: [item.description, item.content?.encoded, ...(dc?.descriptions ?? [])],
          dates: [...dublinDates(dc, dcterms), atom?.published, atom?.updated],
        })),
      };
    case "atom":
      return {
        base: parsed.feed.xml?.base,
        home: alternate(parsed.feed.links),
        items: (parsed.feed.entries ?? []).map(({ dc, dcterms, media, ...entry }) => ({
          guid: entry.id,
          links: [alternate(entry.links)],
          titles: [atomText(entry.title), ...dublinTitles(dc, dcterms), media?.title?.value],
          texts: [atomText(entry.summary), atomText(entry.content), media?.description?.value],
          dates: [entry.published, entry.updated, ...dublinDates(dc, dcterms)],
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
          texts: [item.summary, item.content_html, escapeText(item.content_text ?? "")],
          dates: [item.date_published, item.date_modified],
        })),
      };
  }
}

type DublinCore = { titles?: string[]; dates?: string[] };
type DublinTerms = DublinCore & {
  issued?: string[];
  created?: string[];
  available?: string[];
  modified?: string[];
};

const dublinTitles = (dc: DublinCore | undefined, terms: DublinTerms | undefined) => [
  ...(dc?.titles ?? []),
  ...(terms?.titles ?? []),
];

/** The date of publication is preferred to those of creation and modification. */
const dublinDates = (dc: DublinCore | undefined, terms: DublinTerms | undefined) =>
  [
    dc?.dates,
    terms?.issued,
    terms?.dates,
    terms?.available,
    terms?.created,
    terms?.modified,
  ].flatMap((dates) => dates ?? []);

type AtomLink = { href?: string; rel?: string };

const alternate = (links: AtomLink[] | undefined) =>
  (
    links?.find(({ rel }) => rel === undefined || rel === "alternate") ??
    links?.find(({ rel }) => rel !== "self")
  )?.href;

type AtomText = { value?: string; type?: string };

/** In text that is declared as plain, angle brackets are characters and not tags. */
function atomText(text: AtomText | undefined): string {
  const value = text?.value ?? "";
  return text?.type === undefined || text.type === "text" ? escapeText(value) : value;
}

/** Converts plain text to HTML. */
const escapeText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
