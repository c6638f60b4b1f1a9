import { listCorrections, type PublishedCorrection } from "../../../lib/published-corrections.ts";
import type { PageServices, Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { nextPublishDate } from "../backend/load.server.ts";
import { ownDomain, ownPosts } from "../backend/source.server.ts";
import { listPath, postPath } from "../paths.ts";
import { readPublished } from "./posts.server.ts";

/** The corrections of our posts. A remote backend does not list those of its posts. */
export async function postCorrections(
  services: Pick<Services, "site" | "db" | "clock" | "blogBackend">,
): Promise<PublishedCorrection[]> {
  if (services.blogBackend) return [];
  const { timeZone } = services.site.read(siteSettingsFile);
  const posts = await readPublished(ownPosts(services), ownDomain(services.site));
  return posts.flatMap(({ slug, metaTitle, corrections }) =>
    listCorrections(
      { title: metaTitle, path: postPath(slug), corrections },
      timeZone,
      services.clock(),
    ),
  );
}

/** The corrections of our posts, for a page. It expires when the next one is due. */
export async function readPostCorrections(services: PageServices): Promise<PublishedCorrection[]> {
  if (!services.site.has(listPath(1))) return [];
  // This function also adds the tag of the blog.
  const changesAt = await nextPublishDate(services);
  if (changesAt) services.expireAt(changesAt);
  return postCorrections(services);
}
