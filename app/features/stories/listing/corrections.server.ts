import { listCorrections, type PublishedCorrection } from "../../../lib/article-dates.ts";
import type { PageScope } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { readAllStories, type StoryServices } from "../stories.server.ts";

/** The corrections of our stories. A page with them expires when the next one is due. */
export async function storyCorrections(
  services: StoryServices & PageScope,
): Promise<PublishedCorrection[]> {
  const { timeZone } = services.site.read(siteSettingsFile);
  const now = services.clock();
  const stories = await readAllStories(services);
  return stories.flatMap(({ id, title, corrections }) =>
    listCorrections({ title, path: `/news/${id}`, corrections }, timeZone, now),
  );
}
