/** The longest question the box takes; the rest is cut, not refused. */
export const queryLength = 200;

/** The words asked for, as they are shown back and counted: one space between them. */
export function normaliseQuery(typed: string | null): string {
  return (typed ?? "")
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, queryLength)
    .trim();
}

/** What is counted: the same question in capitals is the same question. */
export const countedAs = (query: string) => query.normalize("NFC").toLowerCase();
