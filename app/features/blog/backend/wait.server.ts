import { errorFields } from "../../../lib/log.ts";
import { withTimeout } from "../../../lib/with-timeout.ts";
import type { PageServices, Services } from "../../../platform/services.ts";
import type { BlogItem } from "../model.ts";
import { listPath } from "../paths.ts";
import { loadBlogList } from "./load.server.ts";
import { ownDomain } from "./source.server.ts";

/** How long a page waits for an external backend. After that, the browser loads the posts. */
const backendTimeoutMs = 1_500;
/** How soon a page about something else, which lacks the posts, is rendered again. */
const retryAfterMs = 10_000;

/** Returns what was read, or null if that failed, or if an external backend took too long. */
export async function waitForPosts<T>(
  { log, blogBackend }: Pick<Services, "log" | "blogBackend">,
  reading: Promise<T>,
): Promise<{ value: T } | null> {
  const tooLate = `the blog's backend did not respond within ${backendTimeoutMs} ms`;
  try {
    const value = await (blogBackend ? withTimeout(reading, backendTimeoutMs, tooLate) : reading);
    return { value };
  } catch (error) {
    log.warn("blog.not_ready", errorFields(error));
    return null;
  }
}

/**
 * The newest posts, for a page about something else. None if they cannot be read, or if the city has
 * no blog.
 */
export async function readNewestPosts(services: PageServices): Promise<BlogItem[]> {
  if (!services.site.has(listPath(1))) return [];
  const list = await waitForPosts(services, loadBlogList(services, ownDomain(services.site), 1));
  if (!list) services.expireAt(new Date(services.clock().getTime() + retryAfterMs));
  return list?.value.blogs ?? [];
}
