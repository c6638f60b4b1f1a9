import { didYouMean } from "../../lib/text/nearest.ts";
import type { Check, City, CrossFileProblem, LinkCheck } from "../../platform/city.ts";
import { checkFrameHost } from "../embeds/check.server.ts";
import {
  findCategorySection,
  goodToKnowFile,
  listCategories,
  sectionsFile,
} from "./files.server.ts";
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

/**
 * Finds a category, of a story or a post, that no section's page shows. One that is similar to another
 * is a mistake; any other may be meant so, and gets a note.
 */
export function checkCategory(city: City, file: string, category: string): CrossFileProblem[] {
  const sections = city.read(sectionsFile);
  if (!sections || findCategorySection(sections, category)) return [];
  const known = Object.keys(sections.sections)
    .flatMap((name) => listCategories(sections.sections, name))
    .map((name) => name.charAt(0).toUpperCase() + name.slice(1));
  const suggestion = didYouMean(category, known);
  return [
    {
      file,
      at: ["category"],
      field: "category",
      message: `is ${category}, which no section's page shows${suggestion || `: add it to a section in ${sectionsFile.path}, such as categories: [${category}]`}`,
      isNote: suggestion === "",
    },
  ];
}

export const checkWidgets: Check = (city) =>
  Object.entries(city.read(sectionsFile)?.sections ?? {}).flatMap(([section, { feeds }]) =>
    Object.entries(feeds).flatMap(([feed, { feedUrl: url }]) => {
      const at = ["sections", section, "feeds", feed, "feedUrl"];
      const field = `${section}.${feed}.feedUrl`;
      return url === undefined
        ? []
        : checkFrameHost(city, { file: sectionsFile.path, at, field, url });
    }),
  );

/** A section has a page only if the city's sections.yaml defines it. */
export const checkSectionLink: LinkCheck = async (path, city) => {
  const name = path.slice(1);
  const sections = city.read(sectionsFile)?.sections;
  if (!sections || !sectionNames.includes(name) || sections[name]) return undefined;
  return { reason: `${sectionsFile.path} has no section ${name}`, known: [] };
};
