import type { AnyFeed } from "feedsmith";
import { oneLine, plainText, summary, title, toIdentity, webLink } from "./clean.server.ts";
import { isDayOnly, parseFeedDate } from "./feed-dates.ts";
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

/**
 * What a feed says of an item. Of several fields for one thing, the first that can be used counts.
 */
type RawItem = {
  guid?: string | undefined;
  links: (string | undefined)[];
  titles: (string | undefined)[];
  texts: (string | undefined)[];
  dates: (string | undefined)[];
  base?: string | undefined;
};

/** What the future may hold, in case of a clock that is wrong. */
const maxAheadMs = 60 * 60 * 1000;

/** Every item of a feed that a reader could use. `url` is where the feed was found. */
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
  // A description may hold nothing but an image; then the text is in another field.
  const text = firstText(raw.texts);
  // Some have a text and no title; its beginning has to do.
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
 * Every item once. Some feeds give all their items the same guid, or link all of them to one page.
 * Items under one guid with several titles are distinguished by their links, and items under one
 * link by their titles.
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

/** The names that items with different titles share. */
function findShared(items: Item[], nameOf: (item: Item) => string): Set<string> {
  const groups = [...Map.groupBy(items, nameOf)];
  return new Set(
    groups
      .filter(([, group]) => group.some(({ title }) => title !== group[0]?.title))
      .map(([name]) => name),
  );
}

/**
 * The items of a source that is read for the first time. One without a date that can be read would
 * count as new and be shown above all others, so it takes the place that its feed gives it: the
 * older date of its neighbors.
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

/** For each item, the last date up to it. */
function datesUpTo(items: Item[]): (Date | null)[] {
  let last: Date | null = null;
  return items.map(({ publishedAt }) => {
    last = publishedAt ?? last;
    return last;
  });
}

/** What the first of some fields gives that gives anything. */
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
    // A date that has not come yet would keep its story on top until it does.
    return date && earliestMs(date) <= now.getTime() + maxAheadMs ? date : null;
  });
}

/** A day has come with its first minute, not only at the noon that it is stored as. */
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

type Dublin = { titles?: string[]; dates?: string[] };
type DublinTerms = Dublin & {
  issued?: string[];
  created?: string[];
  available?: string[];
  modified?: string[];
};

const dublinTitles = (dc: Dublin | undefined, terms: DublinTerms | undefined) => [
  ...(dc?.titles ?? []),
  ...(terms?.titles ?? []),
];

/** When it was published counts for more than when it was written or changed. */
const dublinDates = (dc: Dublin | undefined, terms: DublinTerms | undefined) =>
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

/** Text that calls itself plain keeps its angle brackets as letters. */
function atomText(text: AtomText | undefined): string {
  const value = text?.value ?? "";
  return text?.type === undefined || text.type === "text" ? escapeText(value) : value;
}

/** Plain text as HTML. */
const escapeText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
