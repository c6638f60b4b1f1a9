/**
 * Returns the word that a person probably meant: the word that needs the fewest corrections, unless
 * it needs too many.
 */
export function findNearest(typed: string, words: Iterable<string>): string | undefined {
  const lower = typed.toLowerCase();
  let best: { word: string; distance: number } | undefined;
  for (const word of words) {
    const maxDistance = Math.max(1, Math.round(word.length / 3));
    if (Math.abs(word.length - lower.length) > maxDistance) continue;
    const distance = editDistance(lower, word.toLowerCase());
    if (distance <= maxDistance && (!best || distance < best.distance)) best = { word, distance };
  }
  return best?.word;
}

/** Returns a question to add to an error message, or "" if no word is similar enough. */
export function didYouMean(typed: string, words: Iterable<string>): string {
  const suggestion = findNearest(typed, words);
  return suggestion === undefined ? "" : `. Did you mean \`${suggestion}\`?`;
}

/**
 * Returns the number of letters that have to be inserted, removed, replaced or swapped with their
 * neighbor to turn one word into the other (optimal string alignment).
 */
export function editDistance(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(swapped ? Math.min(least, (before[j - 2] ?? 0) + 1) : least);
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
