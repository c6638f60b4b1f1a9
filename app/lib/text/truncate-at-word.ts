/** Shortens a line of text to `maxLength` characters, cut between words and with "…" at the end. */
export function truncateAtWord(line: string, maxLength: number): string {
  if (line.length <= maxLength) return line;
  const cut = line.slice(0, maxLength - 1).toWellFormed();
  const end = cut.lastIndexOf(" ");
  // Text with hardly any spaces is cut inside a word, but never inside a surrogate pair (an emoji,
  // for example).
  const shortened = end > maxLength / 2 ? cut.slice(0, end) : cut.replace(/�$/, "");
  return `${shortened.replace(/[\s,;:.–—-]+$/, "")}…`;
}
