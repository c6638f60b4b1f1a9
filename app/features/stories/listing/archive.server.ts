import { listCategories, sectionsFile } from "../../feeds/files.server.ts";
import { newestStories, type StoryServices } from "../stories.server.ts";
import { readGroups } from "./list.server.ts";

const maxNewestStories = 6;
const maxStoriesPerMonth = 100;

type ArchiveChoice = { month: string | null; section: string | null; source: string | null };

/**
 * Our stories for the archive: those of the chosen month and section, or the newest if no month is
 * chosen. A source is another newsroom, so there are none if one is chosen.
 */
export async function readArchivedStories(
  services: StoryServices,
  { month, section, source }: ArchiveChoice,
) {
  const { sections } = services.site.read(sectionsFile);
  const groups = await readGroups(services, { isComplete: false });
  const stories =
    source === null
      ? await newestStories(services, month === null ? maxNewestStories : maxStoriesPerMonth, {
          month: month ?? undefined,
          categories: section === null ? undefined : listCategories(sections, section),
        })
      : [];
  return {
    /** The month of our oldest story. Undefined if there are no stories. */
    firstMonth: groups.map((group) => group.month).sort()[0],
    stories: stories.map(({ id, title, publishedAt, isSample, isFromReader }) => ({
      title,
      link: `/news/${id}`,
      at: publishedAt,
      mark: isSample ? "Sample" : isFromReader ? "From a reader" : null,
    })),
  };
}
