import { listCorrections, type PublishedCorrection } from "../../../lib/published-corrections.ts";
import type { PageServices, Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { listPublishedFileStories, readFileStories } from "../file-stories.server.ts";

/** The corrections of our stories. A reader's story has none, because an editor changes its text. */
export function storyCorrections(
  services: Pick<Services, "site" | "clock">,
): PublishedCorrection[] {
  const { timeZone } = services.site.read(siteSettingsFile);
  const now = services.clock();
  return listPublishedFileStories(services).flatMap(({ id, title, corrections }) =>
    listCorrections({ title, path: `/news/${id}`, corrections }, timeZone, now),
  );
}

/** The corrections of our stories, for a page. It expires when the next one is due. */
export function readStoryCorrections(services: PageServices): PublishedCorrection[] {
  readFileStories(services);
  return storyCorrections(services);
}
