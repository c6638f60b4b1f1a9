import { decodeHTML } from "entities";
import { generateAtomFeed, generateJsonFeed, generateRssFeed } from "feedsmith";
import type { ShownCorrection } from "../article-dates.ts";
import { crossOriginHeaders } from "../http/cross-origin.server.ts";
import { artPath } from "../images/art.ts";
import { describePhoto } from "../images/photos.ts";
import { escapeHtml, withoutInvalidXml } from "../text/html.ts";
import { withoutNewTabNotes } from "./external-links.ts";
import { type FeedExtension, feedFormats, feedHref } from "./feed-formats.ts";

type FeedInfo = {
  title: string;
  description: string;
  origin: string;
  /** The path of the page with the same content. */
  page: string;
  /** The path of the feed without its extension. */
  path: string;
  /** The query of a feed that has one, such as ?place=hampden. */
  query?: string;
  /** The time of the last change if the feed has no entry. */
  now: Date;
};

export type FeedEntry = {
  /** The id never changes, even if everything else does. */
  id: string;
  title: string;
  /** A URL, or the path of one of our pages. */
  link: string;
  summary: string;
  publishedAt: Date;
  /** The last change that readers should know about, if there was one after the publication. */
  updatedAt?: Date | undefined;
  authors: string[];
  category?: string;
  /** The complete text as safe HTML, if we own the rights. Its links are full URLs. */
  html?: string;
};

type FeedImage = Parameters<typeof describePhoto>[0] & {
  alt: string;
  width: number;
  height: number;
};

/** The content of a story or post for a feed: its page without the title, authors and dates. */
export function articleHtml(
  article: { image: FeedImage | null; html: string; corrections: ShownCorrection[] },
  origin: string,
): string {
  const { image, html, corrections } = article;
  const notes = image && describePhoto(image);
  const caption = notes ? `<figcaption>${escapeHtml(notes)}</figcaption>` : "";
  return toFeedHtml(
    [
      ...(image ? [`<figure>${imageHtml(image)}${caption}</figure>`] : []),
      html,
      ...corrections.map(
        ({ date, text }) =>
          `<p><strong>Correction, ${escapeHtml(date.text)}:</strong> ${escapeHtml(text)}</p>`,
      ),
    ].join("\n"),
    origin,
  );
}

export const imageHtml = ({ file, alt, width, height }: Omit<FeedImage, "caption" | "credit">) =>
  `<img src="${escapeHtml(artPath(file))}" alt="${escapeHtml(alt)}" width="${width}" height="${height}">`;

/**
 * Converts the HTML of a page for a feed. Paths become URLs, because a path leads nowhere in a feed
 * reader. A regular expression is enough: our own renderer wrote the HTML, so all attributes have
 * the same form.
 */
export const toFeedHtml = (html: string, origin: string) =>
  withoutNewTabNotes(html).replaceAll(/ (href|src)="\/(?!\/)/g, ` $1="${origin}/`);

/** Returns a feed in one of the three formats. Pages of any origin may fetch the feed. */
export function feedResponse(
  extension: FeedExtension,
  info: FeedInfo,
  entries: FeedEntry[],
): Response {
  const absoluteEntries = entries.map((entry) => ({
    ...entry,
    link: new URL(entry.link, info.origin).href,
    // JSON Feed requires a text, and some newsrooms publish only titles.
    summary: entry.summary || entry.title,
  }));
  return new Response(writers[extension](info, absoluteEntries), {
    headers: {
      "Content-Type": `${feedFormats[extension].type}; charset=utf-8`,
      ...crossOriginHeaders,
    },
  });
}

/**
 * Escapes plain text for a field that feed readers may show as HTML, such as the title of an RSS
 * item. Only what could be interpreted as markup or an entity is escaped, so that the text looks
 * the same either way.
 */
function escapeForFeed(text: string): string {
  const hasEntity = decodeHTML(text) !== text;
  return (hasEntity ? text.replaceAll("&", "&amp;") : text).replaceAll(/<(?=[a-z/!?])/gi, "&lt;");
}

/** The time of the last change that readers should know about. */
const findLastChange = (entries: FeedEntry[], now: Date): Date =>
  entries.length === 0
    ? now
    : new Date(Math.max(...entries.map((entry) => toChangedAt(entry).getTime())));

const toChangedAt = ({ updatedAt, publishedAt }: FeedEntry) => updatedAt ?? publishedAt;

const writers: Record<FeedExtension, (info: FeedInfo, entries: FeedEntry[]) => string> = {
  xml: ({ title, description, origin, page, path, query, now }, entries) =>
    cleanXml(
      generateRssFeed({
        title: escapeForFeed(title),
        description: escapeForFeed(description),
        link: origin + page,
        language: "en-US",
        lastBuildDate: findLastChange(entries, now),
        ttl: 15,
        atom: {
          links: [
            {
              href: origin + feedHref(path, "xml", query),
              rel: "self",
              type: "application/rss+xml",
            },
          ],
        },
        items: entries.map((entry) => ({
          title: escapeForFeed(entry.title),
          link: entry.link,
          description: escapeForFeed(entry.summary),
          guid: { value: entry.id, isPermaLink: false },
          pubDate: entry.publishedAt,
          dc: { creators: entry.authors.map(escapeForFeed) },
          ...(entry.category ? { categories: [{ name: escapeForFeed(entry.category) }] } : {}),
          ...(entry.updatedAt ? { atom: { updated: entry.updatedAt } } : {}),
          ...(entry.html === undefined ? {} : { content: { encoded: entry.html } }),
        })),
      }),
    ),
  atom: ({ title, description, origin, page, path, query, now }, entries) =>
    cleanXml(
      generateAtomFeed({
        id: origin + page,
        title: toAtomText(title),
        subtitle: toAtomText(description),
        updated: findLastChange(entries, now),
        links: [
          { href: origin + feedHref(path, "atom", query), rel: "self" },
          { href: origin + page },
        ],
        entries: entries.map((entry) => ({
          id: `${origin}/#${encodeURIComponent(entry.id)}`,
          title: toAtomText(entry.title),
          summary: toAtomText(entry.summary),
          ...(entry.html === undefined ? {} : { content: { value: entry.html, type: "html" } }),
          updated: toChangedAt(entry),
          published: entry.publishedAt,
          links: [{ href: entry.link }],
          ...(entry.category ? { categories: [{ term: entry.category }] } : {}),
          authors: entry.authors.map((author) => ({ name: escapeForFeed(author) })),
        })),
      }),
    ),
  json: ({ title, description, origin, page, path, query }, entries) =>
    JSON.stringify(
      // The library omits an empty list, but the format requires it.
      Object.assign(
        { items: [] },
        generateJsonFeed({
          title,
          description,
          home_page_url: origin + page,
          feed_url: origin + feedHref(path, "json", query),
          language: "en-US",
          items: entries.map((entry) => ({
            id: entry.id,
            url: entry.link,
            title: entry.title,
            ...(entry.html === undefined
              ? { content_text: entry.summary }
              : { summary: entry.summary, content_html: entry.html }),
            date_published: entry.publishedAt,
            ...(entry.updatedAt ? { date_modified: entry.updatedAt } : {}),
            ...(entry.category ? { tags: [entry.category] } : {}),
            authors: entry.authors.map((author) => ({ name: author })),
          })),
        }),
      ),
    ),
};

/** Writes an Atom text as HTML, because feed readers that ignore its type treat it as HTML. */
const toAtomText = (text: string) => ({ value: escapeForFeed(text), type: "html" });

/**
 * Removes line breaks around values, which some feed readers treat as part of a URL, and characters
 * that XML does not allow.
 */
const cleanXml = (xml: string) =>
  withoutInvalidXml(xml)
    .replace(/>\s+<!\[CDATA\[/g, "><![CDATA[")
    .replace(/\]\]>\s+<\//g, "]]></");
