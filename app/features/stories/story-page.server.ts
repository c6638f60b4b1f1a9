import type { PageServices, Services } from "../../platform/services.ts";
import { aboutFile, findAuthorPath } from "../about/files.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { findCategorySection, sectionsFile } from "../feeds/files.server.ts";
import { type StoryLink, type StoryPageContent, storyPath } from "./model.ts";
import { newestFirst, type StoryRecord, toCard, toStory } from "./record.server.ts";
import { readStoriesOrSamples, readStoryRecord, selectCategories } from "./stories.server.ts";

const relatedCount = 3;

/** A story and what its page shows around it. Null if readers may not see the story. */
export async function findStoryPage(services: PageServices, slug: string) {
  const record = await readStoryRecord(services, slug);
  return record && readStoryPage(services, record);
}

export async function readStoryPage(
  services: PageServices,
  record: StoryRecord,
): Promise<StoryPageContent> {
  const { timeZone, origin } = services.site.read(siteSettingsFile);
  const about = services.site.read(aboutFile);
  const stories = await readStoriesOrSamples(services);
  const series = stories
    .filter((other) => other.series !== null && other.series === record.series)
    .filter(({ slug }) => slug !== record.slug)
    .concat(record)
    .sort(newestFirst)
    .reverse();
  const neighbors = findNeighbors(record, stories);
  const linked = [...series, neighbors.older, neighbors.newer].flatMap(
    (story) => story?.slug ?? [],
  );
  return {
    story: toStory(record, timeZone, services.clock()),
    bylines: record.authors.map((name) => ({
      name,
      // A reader may have the same name as a member of the team.
      to: record.isFromReader ? null : findAuthorPath(about, name),
    })),
    url: `${origin}${storyPath(record.slug)}`,
    related: findRelated(services, record, stories, new Set(linked)),
    seriesParts: series.length > 1 ? series.map(toLink) : [],
    ...neighbors,
  };
}

/**
 * Finds related stories of the same section or, if there are none, of all sections. Leaves out the
 * stories in `linked`, to which the page already has links.
 */
function findRelated(
  { site }: Pick<Services, "site">,
  record: StoryRecord,
  stories: StoryRecord[],
  linked: Set<string>,
): StoryPageContent["related"] {
  const section = findCategorySection(site.read(sectionsFile), record.category);
  const isSameCategory = ({ category }: StoryRecord) =>
    category.toLowerCase() === record.category.toLowerCase();
  const find = (candidates: StoryRecord[]) =>
    candidates
      .filter(({ slug }) => !linked.has(slug))
      .sort(
        (one, other) =>
          Number(isSameCategory(other)) - Number(isSameCategory(one)) || newestFirst(one, other),
      )
      .slice(0, relatedCount)
      .map(toCard);
  const ofSection = section ? find(selectCategories(stories, section.categories)) : [];
  if (!section || ofSection.length === 0) return { section: null, stories: find(stories) };
  return { section: { heading: section.heading, path: section.path }, stories: ofSection };
}

const toLink = ({ slug, title }: StoryLink): StoryLink => ({ slug, title });

/** The stories right before and after a story. A real story is never next to a sample. */
function findNeighbors(record: StoryRecord, stories: StoryRecord[]) {
  const others = stories.filter(
    ({ isSample, slug }) => isSample === record.isSample && slug !== record.slug,
  );
  const older = others.find((other) => newestFirst(record, other) < 0);
  const newer = others.findLast((other) => newestFirst(record, other) > 0);
  return { older: older ? toLink(older) : null, newer: newer ? toLink(newer) : null };
}
