import { createWordMatcher } from "../../lib/text/whole-words.ts";
import type { Neighborhood } from "./files.server.ts";

/** Tells whether an item is about a neighborhood, by its texts: title, summary, location. */
type IsAboutPlace = (texts: string[]) => boolean;

/** Each text is searched separately, so that no phrase begins in one and ends in the next. */
export function createPlaceMatcher(place: Pick<Neighborhood, "words" | "excluded">): IsAboutPlace {
  const hasWord = createWordMatcher(place.words);
  const hasExcluded = createWordMatcher(place.excluded);
  return (texts) => texts.some(hasWord) && !texts.some(hasExcluded);
}
