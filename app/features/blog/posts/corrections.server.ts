import { listCorrections, type PublishedCorrection } from "../../../lib/article-dates.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { type BlogServices, readOwnPosts } from "../backend/source.server.ts";
import { postPath } from "../paths.ts";

/** The corrections of our posts. A remote backend does not list those of its posts. */
export async function postCorrections(services: BlogServices): Promise<PublishedCorrection[]> {
  const { timeZone } = services.site.read(siteSettingsFile);
  const now = services.clock();
  const posts = await readOwnPosts(services);
  return posts.flatMap(({ slug, metaTitle, corrections }) =>
    listCorrections({ title: metaTitle, path: postPath(slug), corrections }, timeZone, now),
  );
}
