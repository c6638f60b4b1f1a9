import { toComparableWords } from "../../lib/text/whole-words.ts";
import type { Check, CrossFileProblem } from "../../platform/city.ts";
import type { Services } from "../../platform/services.ts";
import type { SiteContent } from "../../site-files/site-file.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { type Neighborhood, neighborhoodsFile } from "./files.server.ts";

/** The neighborhoods as they were read last, and those that were renamed since the server started. */
const history = new WeakMap<
  SiteContent,
  { places: Neighborhood[]; renamed: Map<string, Neighborhood> }
>();

/** Remembers which neighborhoods have a new name in URLs, and logs the change. */
export async function rememberRenamed({ site, log }: Pick<Services, "site" | "log">) {
  const places = site.read(neighborhoodsFile);
  const { places: before = [], renamed = new Map<string, Neighborhood>() } =
    history.get(site) ?? {};
  history.set(site, { places, renamed });
  const isIn = (list: Neighborhood[], slug: string) => list.some((each) => each.slug === slug);
  for (const [index, { name, slug }] of places.entries()) {
    const old = before[index];
    if (!old || isIn(before, slug) || isIn(places, old.slug)) continue;
    const isUndone = renamed.get(old.slug)?.slug === slug;
    renamed.delete(old.slug);
    if (isUndone) continue;
    renamed.set(slug, old);
    log.warn("site.place_renamed", {
      file: neighborhoodsFile.path,
      field: name,
      message: explainRename(old),
    });
  }
}

const explainRename = ({ name, slug }: Neighborhood) =>
  `was called ${name} before. Links and feeds with place=${slug} no longer work. To make them work again, add the line slug: ${slug}`;

/** Notes neighborhoods that were renamed without a slug while the server was running. */
export const checkRenamed: Check = async (city) => {
  const services = await city.services();
  const { renamed } = (services && history.get(services.site)) ?? {};
  return (city.read(neighborhoodsFile) ?? []).flatMap(({ name, slug }, index) => {
    const old = renamed?.get(slug);
    const message = old && explainRename(old);
    return message
      ? [{ file: neighborhoodsFile.path, at: [index], field: name, message, isNote: true }]
      : [];
  });
};

/**
 * Finds words that do not distinguish a neighborhood: the name of the city is in most local texts.
 * A word may belong to two neighborhoods, but that is often a mistake.
 */
export const checkPlaceWords: Check = (city) => {
  const places = city.read(neighborhoodsFile) ?? [];
  const cityName = toComparableWords(city.read(siteSettingsFile)?.city ?? "");
  const owners = new Map<string, string>();
  return places.flatMap(({ name, words }, index) =>
    words.flatMap((word, position): CrossFileProblem[] => {
      const comparable = toComparableWords(word);
      const owner = owners.get(comparable);
      owners.set(comparable, owner ?? name);
      const problem = {
        file: neighborhoodsFile.path,
        at: word === name ? [index] : [index, "words", position],
        field: name,
      };
      if (comparable === cityName)
        return [
          {
            ...problem,
            message: `has the word "${word}", which is the name of the city and would select almost every text: delete it`,
          },
        ];
      return owner === undefined || owner === name
        ? []
        : [
            {
              ...problem,
              message: `has the word "${word}", as ${owner} has: a text with it is shown in both`,
              isNote: true,
            },
          ];
    }),
  );
};
