/**
 * The beginning of a line of text, at most `maxLength` characters, cut between words and ended with
 * "…" if it was cut.
 */
export function truncateAtWord(line: string, maxLength: number): string {
  if (line.length <= maxLength) return line;
  const cut = line.slice(0, maxLength - 1).toWellFormed();
  const end = cut.lastIndexOf(" ");
  // A text with hardly any spaces is cut inside a word, but never inside a surrogate pair.
  const words = end > maxLength / 2 ? cut.slice(0, end) : cut.replace(/�$/, "");
  return `${words.replace(/[\s,;:.–—-]+$/, "")}…`;
}
