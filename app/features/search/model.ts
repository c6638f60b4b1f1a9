/** The longest question the box takes; the rest is cut, not refused. */
export const queryLength = 200;

/** Control characters, and the marks that would turn the direction of our own text around them. */
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** The words asked for, as they are shown back and counted: one space between them. */
export function normaliseQuery(typed: string | null): string {
  const words = (typed ?? "").replaceAll(unprintable, " ").replaceAll(/\s+/g, " ").trim();
  // The cut may fall into the middle of a character, and half a character is not the same on both sides of the wire.
  return words.slice(0, queryLength).toWellFormed().trim();
}

/** What is counted: the same question in capitals is the same question. */
export const countedAs = (query: string) => query.normalize("NFC").toLowerCase();
