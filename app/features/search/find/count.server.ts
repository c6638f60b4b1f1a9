import { countedAs, type Question, readQuestion } from "../model.ts";

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
export function countQuestion(
  tally: Tally,
  referer: string | null | undefined,
  question: Question,
  isAnswered: boolean,
): void {
  if (isAskedAgain(referer ?? "", question)) return;
  const words = countedAs(question.query);
  tally.count("search", words);
  if (!isAnswered) tally.count("unanswered", words);
}

function isAskedAgain(referer: string, { query, kind, page }: Question): boolean {
  if (page > 1 || kind !== null) return true;
  const from = URL.parse(referer);
  return from?.pathname === "/search" && readQuestion(from.searchParams).query === query;
}
