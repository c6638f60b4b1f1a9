import type { Tally } from "../../../platform/services.ts";
import { parseSearchRequest, type SearchRequest, toQueryKey } from "../model.ts";

/**
 * The response header with the kind of match. From it, the page cache knows how to count a search
 * that it serves from memory.
 */
export const matchHeader = "Search-Match";

/**
 * Opening another page of the results, or only one kind of them, is not counted as a new search.
 */
export function countSearch(
  tally: Pick<Tally, "count">,
  referer: string | null | undefined,
  request: SearchRequest,
  isFullMatch: boolean,
): void {
  if (isRepeat(referer ?? "", request)) return;
  const words = toQueryKey(request.query);
  tally.count("search", words);
  if (!isFullMatch) tally.count("unanswered", words);
}

function isRepeat(referer: string, { query, kind, page }: SearchRequest): boolean {
  if (page > 1 || kind !== null) return true;
  const previous = URL.parse(referer);
  return (
    previous?.pathname === "/search" && parseSearchRequest(previous.searchParams).query === query
  );
}
