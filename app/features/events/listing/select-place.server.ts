import { createMemo } from "../../../lib/memo.ts";
import { createWordMatcher } from "../../../lib/text/whole-words.ts";
import type { Services } from "../../../platform/services.ts";
import { type Neighborhood, neighborhoodsFile } from "../../places/files.server.ts";
import { createPlaceMatcher } from "../../places/match.server.ts";
import type { Place } from "../../places/model.ts";
import type { Filter, PlaceCount } from "../model.ts";
import type { CityEvent } from "./city-event.ts";
import { oncePerSeries } from "./select.server.ts";

const placeMatchers = createMemo<{ place: Place; isAbout(texts: string[]): boolean }[]>();

const readMatchers = (neighborhoods: Neighborhood[]) =>
  placeMatchers("all", [neighborhoods], () =>
    neighborhoods.map(({ slug, name, ...words }) => ({
      place: { slug, name },
      isAbout: createPlaceMatcher(words),
    })),
  );

/** The neighborhood of an event: the one that its location names, or else its title. */
export function findPlace({ site }: Pick<Services, "site">, { location, title }: CityEvent) {
  const matchers = readMatchers(site.read(neighborhoodsFile));
  const find = (text: string) => matchers.find(({ isAbout }) => isAbout([text]))?.place;
  return find(location) ?? find(title) ?? null;
}

const finders = createMemo<(event: CityEvent) => string[]>();

/**
 * Returns a function that finds the neighborhoods of an event, by their slugs. That takes long, and
 * many pages show the same events, so the function remembers what it has found.
 */
const createFinder = (neighborhoods: Neighborhood[]) =>
  finders("all", [neighborhoods], () => {
    const known = new WeakMap<CityEvent, string[]>();
    const isAboutAny = createWordMatcher(neighborhoods.flatMap(({ words }) => words));
    const matchers = readMatchers(neighborhoods);
    const find = ({ title, excerpt, location }: CityEvent) => {
      const texts = [title, excerpt, location];
      if (!texts.some(isAboutAny)) return [];
      return matchers.filter(({ isAbout }) => isAbout(texts)).map(({ place }) => place.slug);
    };
    return (event) => {
      const slugs = known.get(event) ?? find(event);
      known.set(event, slugs);
      return slugs;
    };
  });

export function selectPlace(
  { site }: Pick<Services, "site">,
  events: CityEvent[],
  { place }: Filter,
): CityEvent[] {
  if (!place) return events;
  const findPlaces = createFinder(site.read(neighborhoodsFile));
  return events.filter((event) => findPlaces(event).includes(place.slug));
}

/** Counts events by neighborhood, each series once, and leaves out empty ones. */
export function countPlaces(
  { site }: Pick<Services, "site">,
  events: CityEvent[],
  { place }: Filter,
): PlaceCount[] {
  const neighborhoods = site.read(neighborhoodsFile);
  const findPlaces = createFinder(neighborhoods);
  const counts = new Map<string, number>();
  for (const event of oncePerSeries(events))
    for (const slug of findPlaces(event)) counts.set(slug, (counts.get(slug) ?? 0) + 1);
  return neighborhoods
    .filter(({ slug }) => counts.has(slug) || slug === place?.slug)
    .map(({ slug, name }) => ({ slug, name, count: counts.get(slug) ?? 0 }));
}
