/** A match as React Router's generated types declare it for components. */
type Match = { id: string; loaderData: unknown };
/** A match as React Router's generated types declare it for `meta`. */
type MetaMatch = Match & { meta: unknown };

/** The ids that the generated types name: those of the route and its layouts. */
type KnownId<M> = M extends Match ? (string extends M["id"] ? never : M["id"]) : never;
type Data<M, Id> = Extract<M, Match & { id: Id }>["loaderData"];

/**
 * Returns the loader data of a layout that contains the page. The layout is found by the id of its
 * route, so that a page does not depend on the number of layouts. `meta` also runs for error pages,
 * where the loader of the layout may have failed.
 */
export function loaderDataOf<M extends MetaMatch | undefined, Id extends KnownId<M>>(
  matches: readonly M[],
  id: Id,
): Data<M, Id> | undefined;
export function loaderDataOf<M extends Match | undefined, Id extends KnownId<M>>(
  matches: readonly M[],
  id: Id,
): Data<M, Id>;
export function loaderDataOf(matches: readonly (Match | undefined)[], id: string): unknown {
  const match = matches.find((each) => each?.id === id);
  if (!match) throw new Error(`The page is not in the layout "${id}".`);
  return match.loaderData;
}
