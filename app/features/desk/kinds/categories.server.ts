import { eventsFile } from "../../events/files.server.ts";
import { listCategories, mixedSections, sectionsFile } from "../../feeds/files.server.ts";
import type { ItemKind } from "../published/model.ts";
import type { DeskServices } from "../services.ts";

type Choices = { heading: string; categories: string[] }[];

/**
 * The categories from which editors choose. Those of stories are below the headings of sections. The
 * current category can always stay, even if the city does not list it (any more).
 */
export function listCategoryChoices(
  site: DeskServices["site"],
  kind: ItemKind,
  current: string,
): Choices {
  const choices =
    kind === "event"
      ? [{ heading: "", categories: site.read(eventsFile).categories.map(({ name }) => name) }]
      : listSections(site.read(sectionsFile).sections);
  const isListed = choices.some(({ categories }) => categories.includes(current));
  return current === "" || isListed
    ? choices
    : [{ heading: "Now", categories: [current] }, ...choices];
}

const listSections = (sections: Parameters<typeof listCategories>[0]): Choices =>
  Object.entries(sections)
    .filter(([name]) => !mixedSections.includes(name))
    .map(([name, { heading }]) => ({
      heading,
      // The first is the section's name in its path. Readers know the section by its heading.
      categories: listCategories(sections, name).slice(1),
    }));
