import type { PageServices } from "../../../platform/services.ts";
import { listCategories, sectionsFile } from "../../feeds/files.server.ts";
import { monthOf } from "../record.server.ts";
import { readStories, selectStories } from "../stories.server.ts";

const maxNewestStories = 6;
const maxStoriesPerMonth = 100;

type ArchiveChoice = { month: string | null; section: string | null; source: string | null };

/**
 * Our stories for the archive: those of the chosen month and section, or the newest if no month is
 * chosen. A source is another newsroom, so there are none if one is chosen.
 */
export async function readArchivedStories(
  services: PageServices,
  { month, section, source }: ArchiveChoice,
) {
  const { sections } = services.site.read(sectionsFile);
  const all = await readStories(services);
  const oldest = all.at(-1);
  const stories =
    source === null
      ? selectStories(all, {
          month: month ?? undefined,
          categories: section === null ? undefined : listCategories(sections, section),
        }).slice(0, month === null ? maxNewestStories : maxStoriesPerMonth)
      : [];
  return {
    /** The month of our oldest story. Undefined if there are no stories. */
    firstMonth: oldest && monthOf(oldest),
    stories: stories.map(({ id, title, publishedAt, isSample, isFromReader }) => ({
      title,
      link: `/news/${id}`,
      at: publishedAt,
      mark: isSample ? "Sample" : isFromReader ? "From a reader" : null,
    })),
  };
}
