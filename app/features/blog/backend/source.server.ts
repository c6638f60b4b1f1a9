import type { Services } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import type { SiteContent } from "../../../site-files/site-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { listSisterCities } from "../../brand/network-file.server.ts";
import { domainOf } from "../model.ts";
import { listPath } from "../paths.ts";
import type { PostServices, PostSource } from "../posts/post.ts";
import { ownPostSource, readPublished } from "../posts/posts.server.ts";
import { remotePostSource } from "./remote.server.ts";

export type FullPostServices = PostServices & Pick<Services, "runInWorker" | "log">;

export function postSource(services: PostServices): PostSource {
  const { blogBackend, clock, tags } = services;
  tags?.add(cacheTags.blog);
  return blogBackend ? remotePostSource(blogBackend, clock) : ownPostSource(services);
}

/**
 * Our published posts, newest first. Empty with an external backend, because its list has no dates.
 */
export async function readOwnPosts(services: PostServices) {
  const { site, blogBackend, tags } = services;
  tags?.add(cacheTags.blog);
  if (blogBackend || !site.hasPage(listPath(1))) return [];
  return readPublished(services, ownDomain(site));
}

/** Returns the host's own domain if it is in the network, otherwise this city's. */
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
