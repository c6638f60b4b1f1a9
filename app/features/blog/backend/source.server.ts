import type { PageScope, Services } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import type { SiteContent } from "../../../site-files/site-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { listSisterCities } from "../../brand/network-file.server.ts";
import { domainOf } from "../model.ts";
import { listPath } from "../paths.ts";
import { listFilePosts } from "../posts/file-posts.server.ts";
import type { BlogSource } from "../posts/post.ts";
import { ownSource, readPublished } from "../posts/posts.server.ts";
import { remoteSource } from "./remote.server.ts";

/** `tags` are the cache tags of the page that shows the posts. */
export type BlogServices = Pick<Services, "site" | "db" | "clock" | "blogBackend"> &
  Partial<PageScope>;

/** The services that a post's page needs; the list page needs fewer. */
export type PostServices = BlogServices & Pick<Services, "runInWorker" | "log">;

export function blogSource(services: BlogServices): BlogSource {
  const { blogBackend, clock, tags } = services;
  tags?.add(cacheTags.blog);
  return blogBackend ? remoteSource(blogBackend, clock) : ownSource(ownPosts(services));
}

/** What is needed to read the posts in files and in our database. */
const ownPosts = (services: BlogServices) => ({
  db: services.db,
  readFiles: () => listFilePosts(services),
  now: services.clock(),
  timeZone: services.site.read(siteSettingsFile).timeZone,
  expireAt: services.expireAt,
});

/**
 * All our published posts, newest first. Empty in a city without a blog, and if the blog comes from
 * an external backend, because its list has no dates and only ten posts per page.
 */
export async function readOwnPosts(services: BlogServices) {
  const { site, blogBackend, tags } = services;
  tags?.add(cacheTags.blog);
  if (blogBackend || !site.has(listPath(1))) return [];
  return readPublished(ownPosts(services), ownDomain(site));
}

/**
 * The domain whose posts a host shows: the host's own domain if it is in the network, otherwise
 * this city's domain.
 */
export function knownDomain(site: SiteContent, host: string): string {
  const requested = domainOf(host);
  return networkDomains(site).find((domain) => domain === requested) ?? ownDomain(site);
}

export const ownDomain = (site: SiteContent) =>
  domainOf(new URL(site.read(siteSettingsFile).origin).host);

/** We may store the posts of these domains, and their pages may fetch posts. */
export const networkDomains = (site: SiteContent): string[] => [
  ownDomain(site),
  ...listSisterCities(site).map(({ url }) => domainOf(new URL(url).host)),
];
