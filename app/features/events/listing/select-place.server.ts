import type { Services } from "../../../platform/services.ts";
import { neighborhoodsFile } from "../../places/files.server.ts";
import { createPlaceMatcher } from "../../places/match.server.ts";
import type { Filter } from "../model.ts";
import type { CityEvent } from "./city-event.ts";

/** Selects the events in the neighborhood of a filter, if it has one. */
export function selectPlace(
  { site }: Pick<Services, "site">,
  events: CityEvent[],
  { place }: Filter,
): CityEvent[] {
  if (!place) return events;
  const neighborhood = site.read(neighborhoodsFile).find(({ slug }) => slug === place.slug);
  if (!neighborhood) return [];
  const isAbout = createPlaceMatcher(neighborhood);
  return events.filter(({ title, excerpt, location }) => isAbout([title, excerpt, location]));
}
