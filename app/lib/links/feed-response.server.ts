import { decodeHTML } from "entities";
import { generateAtomFeed, generateJsonFeed, generateRssFeed } from "feedsmith";
import { type FeedExtension, feedFormats } from "./feed-formats.ts";

/**
 * What a feed of ours says of itself. `path` is the feed's address on our site without its ending.
 */
type FeedInfo = {
  title: string;
  description: string;
  origin: string;
  /** The page that the feed follows. */
  page: string;
  path: string;
  updatedAt: Date;
};

export type FeedEntry = {
  /** Never changes, whatever else does. */
  id: string;
  title: string;
  /** A whole address, or a page of ours. */
  link: string;
  summary: string;
  publishedAt: Date;
  author: string;
  /** The whole text as safe HTML, where it is ours to give. Its addresses are whole ones. */
  html?: string;
};

/** The same list in the three formats that readers' programs know; anybody's page may fetch it. */
export function feedResponse(
  ending: FeedExtension,
  channel: FeedInfo,
  entries: FeedEntry[],
): Response {
  const absolute = entries.map((entry) => ({
    ...entry,
    link: new URL(entry.link, channel.origin).href,
  }));
  return new Response(write[ending](channel, absolute), {
    headers: {
      "Content-Type": `${feedFormats[ending].type}; charset=utf-8`,
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  });
}

/**
 * Plain text for a field that feed readers show as HTML, or may show as HTML although it is text,
 * such as the title of an RSS item. Only what could be taken for markup or an entity is escaped, so
 * the text reads the same either way.
 */
function escapeForFeed(text: string): string {
  const hasEntity = decodeHTML(text) !== text;
  return (hasEntity ? text.replaceAll("&", "&amp;") : text).replaceAll(/<(?=[a-z/!?])/gi, "&lt;");
}

const write: Record<FeedExtension, (channel: FeedInfo, entries: FeedEntry[]) => string> = {
  xml: ({ title, description, origin, page, path, updatedAt }, entries) =>
    cleanXml(
      generateRssFeed({
        title: escapeForFeed(title),
        description: escapeForFeed(description),
        link: origin + page,
        language: "en-US",
        lastBuildDate: updatedAt,
        ttl: 15,
        atom: {
          links: [{ href: `${origin}${path}.xml`, rel: "self", type: "application/rss+xml" }],
        },
        items: entries.map((entry) => ({
          title: escapeForFeed(entry.title),
          link: entry.link,
          description: escapeForFeed(entry.summary),
          guid: { value: entry.id, isPermaLink: false },
          pubDate: entry.publishedAt,
          dc: { creators: [escapeForFeed(entry.author)] },
          ...(entry.html === undefined ? {} : { content: { encoded: entry.html } }),
        })),
      }),
    ),
  atom: ({ title, description, origin, page, path, updatedAt }, entries) =>
    cleanXml(
      generateAtomFeed({
        id: origin + page,
        title: htmlText(title),
        subtitle: htmlText(description),
        updated: updatedAt,
        links: [{ href: `${origin}${path}.atom`, rel: "self" }, { href: origin + page }],
        entries: entries.map((entry) => ({
          id: `${origin}/#${encodeURIComponent(entry.id)}`,
          title: htmlText(entry.title),
          summary: htmlText(entry.summary),
          ...(entry.html === undefined ? {} : { content: { value: entry.html, type: "html" } }),
          updated: entry.publishedAt,
          published: entry.publishedAt,
          links: [{ href: entry.link }],
          authors: [{ name: escapeForFeed(entry.author) }],
        })),
      }),
    ),
  json: ({ title, description, origin, page, path }, entries) =>
    JSON.stringify(
      generateJsonFeed({
        title,
        description,
        home_page_url: origin + page,
        feed_url: `${origin}${path}.json`,
        language: "en-US",
        items: entries.map((entry) => ({
          id: entry.id,
          url: entry.link,
          title: entry.title,
          ...(entry.html === undefined
            ? { content_text: entry.summary }
            : { summary: entry.summary, content_html: entry.html }),
          date_published: entry.publishedAt,
          authors: [{ name: entry.author }],
        })),
      }),
    ),
};

/** Programs that ignore the type of an Atom text take it for HTML, so it is HTML. */
const htmlText = (text: string) => ({ value: escapeForFeed(text), type: "html" });

/**
 * Some programs take line breaks around an address for part of it, and none accepts characters that
 * XML does not know.
 */
const cleanXml = (xml: string) =>
  xml
    .replace(/>\s+<!\[CDATA\[/g, "><![CDATA[")
    .replace(/\]\]>\s+<\//g, "]]></")
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
