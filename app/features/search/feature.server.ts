import type { Feature } from "../../platform/feature.ts";
import { searchLimit, suggestionLimit } from "./find/cached-search.server.ts";
import type { SearchableFeature } from "./index/documents.server.ts";
import { updateIndex } from "./index/follow.server.ts";

export {
  cacheMs,
  hasCapacityFor,
  onCacheCleared,
  retryAfterSeconds,
  searchLimit,
} from "./find/cached-search.server.ts";
export { countSearch, matchHeader } from "./find/count.server.ts";
export { followContent, type SearchIndex } from "./index/follow.server.ts";
export { parseSearchRequest, toSearchPath } from "./model.ts";

/** The search of the site, over the documents and pages that all features declare. */
export const createSearch = (features: () => SearchableFeature[]): Feature => ({
  name: "search",
  limits: [searchLimit, suggestionLimit],
  jobs: [
    {
      // This job covers changes that depend only on the time, such as scheduled posts and past
      // events.
      name: "search",
      cron: "* * * * *",
      run: (services) => updateIndex(features(), services),
    },
  ],
  derivedTables: ["search_documents", "search_words", "search_progress"],
});
