/** Longer text is cut before it is searched, so that no text takes long. */
const maxTextLength = 2_000;

/** Letters beyond ASCII, which may have accents. Curly quotes and dashes are not among them. */
const specialLetter = /[\u00aa-\u1fff\u2070-\uffff]/;

/** Removes accents and upper case. Few texts have accents, and to remove them takes longer. */
function simplify(text: string): string {
  const cut = text.slice(0, maxTextLength);
  const plain = specialLetter.test(cut) ? cut.normalize("NFKD").replaceAll(/\p{M}+/gu, "") : cut;
  return plain.toLowerCase();
}

const spaceWords = (simplified: string) =>
  ` ${simplified.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim()} `;

/**
 * Converts text for a comparison of whole words: in lower case, without accents, with one space
 * around each word. Punctuation separates words, so "Hampden-Sydney" becomes " hampden sydney ".
 */
export const toComparableWords = (text: string): string => spaceWords(simplify(text));

/**
 * Returns a function that tells whether text contains one of the words or phrases as whole words.
 * Case, accents and punctuation do not matter.
 */
export function createWordMatcher(words: string[]): (text: string) => boolean {
  const wanted = words.map(toComparableWords).filter((word) => word.trim() !== "");
  // Most texts contain none of these, so their words need not be separated, which takes longer.
  const starts = wanted.map((phrase) => phrase.split(" ", 2)[1] ?? "");
  return (text) => {
    const simplified = simplify(text);
    if (!starts.some((start) => simplified.includes(start))) return false;
    const comparable = spaceWords(simplified);
    return wanted.some((phrase) => comparable.includes(phrase));
  };
}
