import type { Database } from "../../db/database.ts";
import { everyTag, sendPurge } from "../../db/purge.ts";

/**
 * Cache tags name the data that pages show. A function that reads data adds the data's tag to the
 * page, and a function that changes the data purges every page with that tag: see db/purge.ts.
 */
export const cacheTags = {
  /** The pages and feeds that list alerts. The banner of all other pages follows them too. */
  alerts: "alerts",
  blog: "blog",
  brief: "brief",
  /** External backends may use slugs with characters that a header or a list of tags cannot have. */
  post: (slug: string) => `blog:${encodeURIComponent(slug)}` as const,
  /** The listings of the community page. */
  community: "community",
  events: "events",
  headlines: "headlines",
  newsletter: "newsletter",
  /** Where renamed pages are now. */
  redirects: "redirects",
  /** The search index. No page has this tag: every node drops its cached results. */
  search: "search",
  /** The headlines of one source. */
  source: (id: string) => `source:${id}` as const,
  stories: "stories",
  weather: "weather",
  page: (path: string) => `page:${path}` as const,
} as const;

type Tags = typeof cacheTags;
export type CacheTag = {
  [Name in keyof Tags]: Tags[Name] extends (part: string) => infer Tag ? Tag : Tags[Name];
}[keyof Tags];

export const isPurged = (purged: readonly string[], tag: CacheTag): boolean =>
  purged.includes(tag) || purged.includes(everyTag);

export type PageTags = { add(tag: CacheTag): void };

/**
 * Drops every page with one of these tags, on every node, and refreshes what else depends on them:
 * shared reads, the banner with alerts, live stories and the search index, which listen in
 * server/boot.ts. Call it in the transaction that changes the data.
 */
export const purge: (tx: Pick<Database, "execute">, tags: Iterable<CacheTag>) => Promise<void> =
  sendPurge;
