import { appContext } from "../context.ts";
import {
  retryAfterSeconds,
  suggestionLimit,
  suggestWithCache,
} from "../features/search/find/cached-search.server.ts";
import { createSearchScope } from "../features/search/find/find.server.ts";
import { minSuggestLetters, normalizeQuery } from "../features/search/model.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/search-suggest.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

/**
 * Long enough to reuse the response when a reader deletes a letter and types it again. Not longer,
 * because we cannot purge the browser's cache when the index changes.
 */
const maxAgeSeconds = 5;

/** Suggestions for the search box while the reader types. They are neither counted nor stored. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const query = normalizeQuery(url.searchParams.get("q"));
  const scope = createSearchScope(app);
  const suggestions =
    query.length < minSuggestLetters ? [] : await suggestWithCache(scope, query, app.ipAddress);
  if (suggestions === null) {
    const headers = { "Retry-After": String(retryAfterSeconds) };
    return Response.json({ error: suggestionLimit.messages.visitor }, { status: 429, headers });
  }
  return Response.json(suggestions, {
    headers: { "Cache-Control": `private, max-age=${maxAgeSeconds}` },
  });
}
