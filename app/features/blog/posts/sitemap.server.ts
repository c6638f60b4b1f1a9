import { writtenInstant } from "../../../lib/dates.ts";
import type { SitemapSource } from "../../../platform/sitemap.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { readOwnPosts } from "../backend/source.server.ts";
import { postPath } from "../paths.ts";

/** Our published posts. The posts of a sister city are in that city's sitemap. */
export const postSitemap: SitemapSource = {
  async pages(services) {
    const { timeZone } = services.site.read(siteSettingsFile);
    const now = services.clock();
    const posts = await readOwnPosts(services);
    return posts.map(({ slug, publishAt, updated, corrections }) => {
      const changes = [updated, ...corrections.map(({ date }) => date)]
        .flatMap((date) => (date === null ? [] : writtenInstant(date, timeZone).getTime()))
        .filter((at) => at <= now.getTime());
      return {
        path: postPath(slug),
        changedAt: new Date(Math.max(publishAt.getTime(), ...changes)),
      };
    });
  },
};
