import { didYouMean } from "../../lib/text/nearest.ts";
import type { Check, City, CrossFileProblem, LinkCheck } from "../../platform/city.ts";
import { embedsFile, frameSources } from "../embeds/files.server.ts";
import { findCategorySection, goodToKnowFile, sectionsFile } from "./files.server.ts";
import { sectionNames } from "./model.ts";

/**
 * A feed without headlines shows the good-to-know list with the same name as the feed, so a
 * misspelled name would leave the feed empty.
 */
export const checkGoodToKnow: Check = (city) => {
  const [lists, sections] = [city.read(goodToKnowFile), city.read(sectionsFile)];
  if (!lists || !sections) return [];
  const feeds = Object.values(sections.sections).flatMap((section) => Object.keys(section.feeds));
  return Object.keys(lists)
    .filter((id) => !feeds.includes(id))
    .map((id) => ({
      file: goodToKnowFile.path,
      at: [id],
      field: id,
      message: `is not the name of a feed in sections.yaml${didYouMean(id, feeds)}`,
    }));
};

/** Notes a category, of a story or a post, that no section's page shows. */
export function noteUnusedCategory(city: City, file: string, category: string): CrossFileProblem[] {
  const sections = city.read(sectionsFile);
  if (!sections || findCategorySection(sections, category)) return [];
  return [
    {
      file,
      at: ["category"],
      field: "category",
      message: `is ${category}, which no section's page shows: add it to a section in ${sectionsFile.path}, such as categories: [${category}]`,
      isNote: true,
    },
  ];
}

/** The browser blocks a widget whose service embeds.yaml does not list. */
export const checkWidgets: Check = (city) => {
  const [embeds, sections] = [city.read(embedsFile), city.read(sectionsFile)];
  if (!embeds || !sections) return [];
  const hosts = frameSources(embeds);
  return Object.entries(sections.sections).flatMap(([section, { feeds }]) =>
    Object.entries(feeds).flatMap(([feed, { feedUrl }]) =>
      feedUrl === undefined || hosts.includes(new URL(feedUrl).origin)
        ? []
        : [
            {
              file: sectionsFile.path,
              at: ["sections", section, "feeds", feed, "feedUrl"],
              field: `${section}.${feed}.feedUrl`,
              message: `needs a service in embeds.yaml: add ${new URL(feedUrl).origin} there`,
            },
          ],
    ),
  );
};

/** A section has a page only if the city's sections.yaml defines it. */
export const checkSectionLink: LinkCheck = async (path, city) => {
  const name = path.slice(1);
  const sections = city.read(sectionsFile)?.sections;
  if (!sections || !sectionNames.includes(name) || sections[name]) return undefined;
  return { reason: `${sectionsFile.path} has no section ${name}`, known: [] };
};
