/** The maximum length of a query. Longer queries are cut, not refused. */
export const maxQueryLength = 200;

/** Control characters, and marks that would reverse the direction of the text around them. */
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Converts a query to the form that is shown: trimmed, with single spaces between words. */
export function normalizeQuery(typed: string | null): string {
  const cleaned = (typed ?? "").replaceAll(unprintable, " ").replaceAll(/\s+/g, " ").trim();
  // The cut may split a character into surrogates, and a lone surrogate would differ between server
  // and browser.
  return cleaned.slice(0, maxQueryLength).toWellFormed().trim();
}
