/** Longer text is cut before it is searched, so that no text takes long. */
const maxTextLength = 2_000;

/**
 * Converts text for a comparison of whole words: in lower case, without accents, with one space
 * around each word. Punctuation separates words, so "Hampden-Sydney" becomes " hampden sydney ".
 */
export const toComparableWords = (text: string): string =>
  ` ${text
    .slice(0, maxTextLength)
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;

/**
 * Returns a function that tells whether text contains one of the words, or one of the phrases, as
 * whole words. Case, accents and punctuation do not matter. Each phrase takes at most the time to
 * read the text once.
 */
export function createWordMatcher(words: string[]): (text: string) => boolean {
  const wanted = words.map(toComparableWords).filter((word) => word.trim() !== "");
  return (text) => {
    const comparable = toComparableWords(text);
    return wanted.some((word) => comparable.includes(word));
  };
}
