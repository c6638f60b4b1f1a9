import { parseSearchRequest, queryKey, type SearchRequest } from "../model.ts";

/**
 * A header of the page: how the words of the question were found. A server that keeps the page
 * counts questions by it.
 */
export const matchHeader = "Search-Match";

type Tally = { count(kind: "search" | "unanswered", words: string): void };

/**
 * Counts a question once, not again for each page and kind of its answer, nor on the way back to
 * all of it.
 */
export function countSearch(
  tally: Tally,
  referer: string | null | undefined,
  question: SearchRequest,
  isFullMatch: boolean,
): void {
  if (isRepeat(referer ?? "", question)) return;
  const words = queryKey(question.query);
  tally.count("search", words);
  if (!isFullMatch) tally.count("unanswered", words);
}

function isRepeat(referer: string, { query, kind, page }: SearchRequest): boolean {
  if (page > 1 || kind !== null) return true;
  const from = URL.parse(referer);
  return from?.pathname === "/search" && parseSearchRequest(from.searchParams).query === query;
}
