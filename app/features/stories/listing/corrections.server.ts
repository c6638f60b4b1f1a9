import { listCorrections, type PublishedCorrection } from "../../../lib/published-corrections.ts";
import type { PageServices, Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { StoryRecord } from "../record.server.ts";
import { listNewestStories, readFrontPageStories } from "../stories.server.ts";

/** The corrections of our stories. */
export async function storyCorrections(
  services: Pick<Services, "site" | "db" | "clock">,
): Promise<PublishedCorrection[]> {
  return listStoryCorrections(services, await listNewestStories(services));
}

function listStoryCorrections(
  { site, clock }: Pick<Services, "site" | "clock">,
  stories: StoryRecord[],
) {
  const { timeZone } = site.read(siteSettingsFile);
  const now = clock();
  return stories.flatMap(({ id, title, corrections }) =>
    listCorrections({ title, path: `/news/${id}`, corrections }, timeZone, now),
  );
}

/** The corrections of our stories, for a page. It expires when the next one is due. */
export const readStoryCorrections = async (
  services: PageServices,
): Promise<PublishedCorrection[]> =>
  listStoryCorrections(services, await readFrontPageStories(services));
