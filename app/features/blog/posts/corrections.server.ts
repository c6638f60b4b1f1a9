import { listCorrections, type PublishedCorrection } from "../../../lib/published-corrections.ts";
import type { PageServices, Services } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { postPath } from "../paths.ts";
import { isPublished, listFilePosts } from "./file-posts.server.ts";

/** The corrections of our posts. Only posts from files have corrections. */
export function postCorrections(
  services: Pick<Services, "site" | "clock" | "blogBackend">,
): PublishedCorrection[] {
  const now = services.clock();
  const { timeZone } = services.site.read(siteSettingsFile);
  return readPosts(services)
    .filter((post) => isPublished(post, now))
    .flatMap(({ slug, metaTitle, corrections }) =>
      listCorrections({ title: metaTitle, path: postPath(slug), corrections }, timeZone, now),
    );
}

/** The corrections of our posts, for a page. It expires when the next one is due. */
export function readPostCorrections(services: PageServices) {
  services.tags.add(cacheTags.blog);
  const now = services.clock();
  for (const { isDraft, publishAt, changesAt } of readPosts(services))
    for (const at of [publishAt, ...changesAt]) if (!isDraft && at > now) services.expireAt(at);
  return postCorrections(services);
}

/** Posts from files are not shown if the blog has a remote backend. */
function readPosts({ site, blogBackend }: Pick<Services, "site" | "blogBackend">) {
  return blogBackend ? [] : listFilePosts(site);
}
