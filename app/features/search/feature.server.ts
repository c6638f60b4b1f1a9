import type { Feature } from "../../platform/feature.ts";
import type { SearchableFeature } from "./index/documents.server.ts";
import { updateIndex } from "./index/follow.server.ts";

export {
  cacheMs,
  hasCapacityFor,
  onCacheCleared,
  retryAfterSeconds,
} from "./find/cached-search.server.ts";
export { countSearch, matchHeader } from "./find/count.server.ts";
export { followContent, type SearchIndex } from "./index/follow.server.ts";
export { parseSearchRequest, searchHref, searchPath, suggestPath } from "./model.ts";

/** Searches what all features declare. */
export const createSearch = (features: () => SearchableFeature[]): Feature => ({
  name: "search",
  jobs: [
    {
      // For what changes with the time alone: posts that appear, events that are over.
      name: "search",
      cron: "* * * * *",
      run: (services) => updateIndex(features(), services),
    },
  ],
  derivedTables: ["search_documents", "search_words", "search_progress"],
});
