import { parseSearchRequest, queryKey, type SearchRequest } from "../model.ts";

/**
 * A response header with the kind of match. The page cache needs it to count searches that it
 * serves from memory.
 */
export const matchHeader = "Search-Match";

type Tally = { count(kind: "search" | "unanswered", words: string): void };

/**
 * Counts a search once: not again when the reader opens another page or kind of results, or goes
 * back to all of them.
 */
export function countSearch(
  tally: Tally,
  referer: string | null | undefined,
  request: SearchRequest,
  isFullMatch: boolean,
): void {
  if (isRepeat(referer ?? "", request)) return;
  const words = queryKey(request.query);
  tally.count("search", words);
  if (!isFullMatch) tally.count("unanswered", words);
}

function isRepeat(referer: string, { query, kind, page }: SearchRequest): boolean {
  if (page > 1 || kind !== null) return true;
  const from = URL.parse(referer);
  return from?.pathname === "/search" && parseSearchRequest(from.searchParams).query === query;
}
