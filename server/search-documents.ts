import { createHash } from "node:crypto";
import { setImmediate as letOthersRun } from "node:timers/promises";
import { type PostText, postTexts, searchablePosts } from "../app/features/blog/kept.server.ts";
import { booksFile } from "../app/features/books/files.server.ts";
import { shelf } from "../app/features/books/shelf.server.ts";
import { brandFile } from "../app/features/brand/files.server.ts";
import { communityFile } from "../app/features/community/files.server.ts";
import { eventItem } from "../app/features/events/describe.server.ts";
import { eventOrigins, eventsWithin } from "../app/features/events/gather.server.ts";
import { faqFile } from "../app/features/faq/files.server.ts";
import { allStories } from "../app/features/news/stories.server.ts";
import type { Gathered, SearchDocument } from "../app/features/search/index.server.ts";
import { addDays, calendarDay, instantAt } from "../app/lib/dates.ts";
import type { SourceText } from "../app/lib/plain-text.server.ts";
import type { SiteReader } from "../app/lib/site-file.server.ts";
import type { Services } from "../app/platform/services.ts";
import { pageDocuments } from "./search-pages.ts";
import { longestBody, readBodies, storable, type Unread } from "./search-texts.ts";

/** A document as its feature tells it; what it leaves out it does not have. */
export type Found = Pick<SearchDocument, "id" | "kind" | "link" | "title"> &
  Partial<
    Pick<SearchDocument, "aliases" | "detail" | "summary" | "body" | "keywords" | "at" | "isSample">
  > & {
    /** What the body is read from. Only documents that have changed are read, outside this thread. */
    source?: SourceText;
  };

const postsAtOnce = 50;
const documentsPerTurn = 50;
/** Events that were lately can still be found, and so can those of the coming year. */
const daysBack = 30;
const daysAhead = 366;
const mostEvents = 2_000;

/** Everything that readers can look for, from every feature; headlines are searched where they are. */
export async function gatherDocuments(
  services: Services,
  known: ReadonlyMap<string, string>,
): Promise<Gathered> {
  const { site, db } = services;
  const { timeZone } = site.read(brandFile);
  const posts = await searchablePosts(services);
  const found = [
    ...(await stories(services, timeZone)),
    ...posts.files.map(postDocument),
    ...(await events(services)),
    ...questions(site),
    ...pageDocuments(site),
    ...community(site),
    ...books(site),
  ];
  // What is written down twice is found once.
  const made: Unread[] = [];
  for (const each of new Map(found.toReversed().map((each) => [each.id, each])).values()) {
    // Thousands of events would keep readers waiting.
    if (made.length % documentsPerTurn === 0) await letOthersRun();
    made.push(withVersion(each));
  }
  const versions = new Map(made.map(({ id, version }) => [id, version]));
  const changed = await readBodies(
    services,
    made.filter(({ id, version }) => known.get(id) !== version),
  );

  const rows = posts.rows.map(({ slug, version }) => ({ slug, id: postId(slug), version: `row ${version}` }));
  for (const { id, version } of rows) versions.set(id, version);
  const unread = rows.filter(({ id, version }) => known.get(id) !== version).map(({ slug }) => slug);
  for (let start = 0; start < unread.length; start += postsAtOnce) {
    const texts = await postTexts(db, unread.slice(start, start + postsAtOnce));
    for (const document of await readBodies(services, texts.map(postDocument).map(withVersion)))
      changed.push({ ...document, version: versions.get(document.id) ?? document.version });
  }
  return { versions, changed };
}

/** The version covers what the body is read from, so a text is read once, whatever comes of it. */
function withVersion({ at = null, isSample = false, source, ...rest }: Found): Unread {
  const { aliases = "", detail = "", summary = "", body = "", keywords = "" } = rest;
  const document = {
    ...{ id: storable(rest.id), kind: rest.kind, link: storable(rest.link), title: storable(rest.title) },
    ...{ aliases, keywords: storable(keywords), detail: storable(detail), summary: storable(summary) },
    ...{ body: storable(body.slice(0, longestBody)), at, isSample },
  };
  const version = createHash("sha1")
    .update(JSON.stringify([document, source]))
    .digest("base64url");
  return { ...document, version, source: source ?? null };
}

const stories = async (services: Services, timeZone: string): Promise<Found[]> =>
  (await allStories(services)).map(({ id, title, category, excerpt, html, published, isSample }) => ({
    ...{ id: `story:${id}`, kind: "story", link: `/news/${id}`, title },
    ...{ detail: category, summary: excerpt, source: { format: "html", text: html } },
    ...{ at: instantAt(published, "00:00", timeZone), isSample },
  }));

const postId = (slug: string) => `blog:${slug}`;

function postDocument(post: PostText): Found {
  return {
    ...{ id: postId(post.slug), kind: "blog", link: `/blog/${post.slug}`, title: post.metaTitle },
    ...{
      summary: post.metaDescription,
      source: { format: "markdown", text: post.blog.slice(0, longestBody) },
    },
    keywords: [post.shortTailKeywords, post.longTailKeywords].filter(Boolean).join(", "),
    at: post.publishAt,
  };
}

/** Of a series the next date, or the last where all are over. */
async function events(services: Services): Promise<Found[]> {
  const brand = services.site.read(brandFile);
  const origins = eventOrigins(services, brand);
  const today = calendarDay(origins.now, brand.timeZone);
  const dayAt = (days: number) => instantAt(addDays(today, days), "00:00", brand.timeZone);
  const all = await eventsWithin(origins, { from: dayAt(-daysBack), until: dayAt(daysAhead) });
  const shown = all.filter(({ cancelled }) => !cancelled);
  const bySeries = Map.groupBy(shown, ({ series }) => series).values();
  return [...bySeries].slice(0, mostEvents).flatMap((dates) => {
    const event = dates.find(({ startsAt }) => startsAt >= origins.now) ?? dates.at(-1);
    if (!event) return [];
    const { dateLine, title, location, id } = eventItem(event, brand.timeZone);
    return [
      {
        ...{ id: `event:${id}`, kind: "event" as const, link: `/events/${id}`, title },
        detail: [dateLine, location].filter(Boolean).join(" · "),
        summary: event.excerpt,
        ...(event.html === null
          ? { body: event.text }
          : { source: { format: "html" as const, text: event.html } }),
        keywords: event.category,
        ...{ at: event.startsAt, isSample: event.isSample },
      },
    ];
  });
}

const questions = (site: SiteReader): Found[] =>
  site.read(faqFile).categories.flatMap(({ name, questions: entries }) =>
    entries.map(({ id, question, answer }) => ({
      ...{ id: `faq:${id}`, kind: "faq" as const, link: `/faq#${id}`, title: question },
      ...{ detail: name, source: { format: "html" as const, text: answer } },
    })),
  );

function community(site: SiteReader): Found[] {
  const { volunteer, resources } = site.read(communityFile);
  return [
    ...volunteer.items.map((item) => ({
      ...{ id: `volunteer:${item.id}`, kind: "volunteer" as const, link: "/community#volunteer" },
      ...{ title: item.title, detail: `${item.organization} · ${volunteer.heading}` },
      ...{ summary: item.description, body: item.commitment },
    })),
    ...resources.groups.flatMap(({ name, links }) =>
      links.map(({ label, url, text }) => ({
        ...{ id: `resource:${name}:${url}`, kind: "volunteer" as const, link: url, title: label },
        ...{ detail: name, summary: text },
      })),
    ),
  ];
}

const books = (site: SiteReader): Found[] => {
  const file = site.read(booksFile);
  return shelf(file).cards.map(({ id, title, detail }) => ({
    ...{ id: `book:${id}`, kind: "book", link: `/books#${id}`, title },
    ...{ detail: `${detail} · ${file.author}` },
  }));
};
