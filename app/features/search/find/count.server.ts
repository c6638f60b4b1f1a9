import type { Tally } from "../../../platform/services.ts";
import { parseSearchRequest, type SearchRequest, toQueryKey } from "../model.ts";

/** A response header, so that the page cache can count searches that it serves from memory. */
export const matchHeader = "Search-Match";

/** Counts a search once, not again for another page or kind of its results. */
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
