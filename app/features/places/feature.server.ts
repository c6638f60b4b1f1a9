import { toComparableWords } from "../../lib/text/whole-words.ts";
import type { Check, CrossFileProblem } from "../../platform/city.ts";
import type { Feature } from "../../platform/feature.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { neighborhoodsFile } from "./files.server.ts";

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

export const places: Feature = {
  name: "places",
  files: [neighborhoodsFile],
  launch: (site) =>
    site.read(neighborhoodsFile).length > 0
      ? []
      : [
          {
            file: neighborhoodsFile.path,
            at: null,
            message: "lists no neighborhoods.",
            fix: "List them, so that readers can follow their own: docs/operations.md.",
            isOptional: true,
          },
        ],
  checks: [checkPlaceWords],
};
