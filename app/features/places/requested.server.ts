import type { Services } from "../../platform/services.ts";
import { type Neighborhood, neighborhoodsFile } from "./files.server.ts";
import { type Place, placeParam } from "./model.ts";

/** The neighborhoods in the order of the file, without the words by which we recognize texts. */
export const listPlaces = ({ site }: Pick<Services, "site">): Place[] =>
  site.read(neighborhoodsFile).map(({ slug, name }) => ({ slug, name }));

/**
 * Returns the neighborhood that a query selects, or null if it selects none. Responds with 404 to
 * an unknown one: the page for all neighborhoods would show something else than the link said.
 */
export function requireKnownPlace(
  { site }: Pick<Services, "site">,
  query: URLSearchParams,
): Neighborhood | null {
  const slug = query.get(placeParam);
  if (!slug) return null;
  const place = site.read(neighborhoodsFile).find((each) => each.slug === slug);
  if (!place) throw new Response("There is no such neighborhood.\n", { status: 404 });
  return place;
}
