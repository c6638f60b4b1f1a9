/** What somebody probably meant: the word that needs the fewest corrections, if those are not too many. */
export function nearest(typed: string, words: Iterable<string>): string | undefined {
  const lower = typed.toLowerCase();
  let best: { word: string; away: number } | undefined;
  for (const word of words) {
    const most = Math.max(1, Math.round(word.length / 3));
    if (Math.abs(word.length - lower.length) > most) continue;
    const away = lettersAway(lower, word.toLowerCase());
    if (away <= most && (!best || away < best.away)) best = { word, away };
  }
  return best?.word;
}

/** A sentence to add to an error message, or nothing. */
export function didYouMean(typed: string, words: Iterable<string>): string {
  const meant = nearest(typed, words);
  return meant === undefined ? "" : `. Did you mean \`${meant}\`?`;
}

/** How many letters have to be put in, taken out, exchanged or swapped with their neighbour (Damerau and Levenshtein). */
function lettersAway(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(one.length, other.length);
}
