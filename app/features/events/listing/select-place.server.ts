import { createMemo } from "../../../lib/memo.ts";
import { createWordMatcher } from "../../../lib/text/whole-words.ts";
import type { Services } from "../../../platform/services.ts";
import { type Neighborhood, neighborhoodsFile } from "../../places/files.server.ts";
import { createPlaceMatcher } from "../../places/match.server.ts";
import type { Filter, PlaceCount } from "../model.ts";
import type { CityEvent } from "./city-event.ts";
import { oncePerSeries } from "./select.server.ts";

/**
 * What finds the neighborhoods of events. That takes long, and many pages show the same events, so it
 * remembers what it has found.
 */
const finders = createMemo<ReturnType<typeof createFinder>>();
const readFinder = ({ site }: Pick<Services, "site">) => {
  const neighborhoods = site.read(neighborhoodsFile);
  return finders("all", [neighborhoods], () => createFinder(neighborhoods));
};

function createFinder(neighborhoods: Neighborhood[]) {
  const known = new WeakMap<CityEvent, string[]>();
  const isAboutAny = createWordMatcher(neighborhoods.flatMap(({ words }) => words));
  const matchers = neighborhoods.map(({ slug, name, ...words }) => ({
    place: { slug, name },
    isAbout: createPlaceMatcher(words),
  }));
  const findAll = (texts: string[]) =>
    texts.some(isAboutAny)
      ? matchers.filter(({ isAbout }) => isAbout(texts)).map(({ place }) => place)
      : [];
  return {
    findAll,
    findSlugs(event: CityEvent): string[] {
      const { title, excerpt, location } = event;
      const slugs = known.get(event) ?? findAll([title, excerpt, location]).map(({ slug }) => slug);
      known.set(event, slugs);
      return slugs;
    },
  };
}

/** The neighborhood of an event: the one that its location names, or else its title. */
export function findPlace(services: Pick<Services, "site">, { location, title }: CityEvent) {
  const { findAll } = readFinder(services);
  return findAll([location])[0] ?? findAll([title])[0] ?? null;
}

export function selectPlace(
  services: Pick<Services, "site">,
  events: CityEvent[],
  { place }: Filter,
): CityEvent[] {
  if (!place) return events;
  const { findSlugs } = readFinder(services);
  return events.filter((event) => findSlugs(event).includes(place.slug));
}

/** Counts events by neighborhood, each series once, and leaves out empty ones. */
export function countPlaces(
  services: Pick<Services, "site">,
  events: CityEvent[],
  { place }: Filter,
): PlaceCount[] {
  const { findSlugs } = readFinder(services);
  const counts = new Map<string, number>();
  for (const event of oncePerSeries(events))
    for (const slug of findSlugs(event)) counts.set(slug, (counts.get(slug) ?? 0) + 1);
  return services.site
    .read(neighborhoodsFile)
    .filter(({ slug }) => counts.has(slug) || slug === place?.slug)
    .map(({ slug, name }) => ({ slug, name, count: counts.get(slug) ?? 0 }));
}
