/** Titles this much alike, close in time and from different sources, are the same story. */
const minSimilarity = 0.75;
const minWords = 4;
/** A word that this many titles share says little; only the newest of them are compared. */
const comparedPerWord = 100;

const stopWords = new Set(
  "a an and are as at be but by for from has have he her his how in into is it its new of on or our over says she that the their they this to up was were what when where who why will with you your after about amid s t".split(
    " ",
  ),
);

/** The words of a title that say something. */
export type TitleWords = ReadonlySet<string>;
type Title<Story> = { story: Story; sourceId: string; words: TitleWords };

/** The titles of the last days, found again by their words. */
export type RecentTitles<Story> = {
  add(words: TitleWords, sourceId: string, story: Story): void;
  /** The story that another source tells under much the same title. */
  find(words: TitleWords, sourceId: string): Story | null;
};

export function createRecentTitles<Story>(): RecentTitles<Story> {
  const byWord = new Map<string, Title<Story>[]>();

  return {
    add(words, sourceId, story) {
      if (words.size < minWords) return;
      const entry = { story, sourceId, words };
      for (const word of words) {
        const entries = byWord.get(word);
        if (entries) entries.push(entry);
        else byWord.set(word, [entry]);
      }
    },
    find(words, sourceId) {
      if (words.size < minWords) return null;
      // Two titles this much alike share at least one of this one's rarest words; the common ones
      // need no look.
      const rarest = [...words]
        .map((word) => byWord.get(word) ?? [])
        .sort((a, b) => a.length - b.length)
        .slice(0, Math.floor(words.size * (1 - minSimilarity)) + 1);
      let best: { story: Story; score: number } | null = null;
      for (const entries of rarest) {
        for (const entry of entries.slice(-comparedPerWord)) {
          if (entry.sourceId === sourceId) continue;
          const score = similarity(words, entry.words);
          if (score >= minSimilarity && score > (best?.score ?? 0))
            best = { story: entry.story, score };
        }
      }
      return best?.story ?? null;
    },
  };
}

export function titleWords(title: string): TitleWords {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}|['’]/gu, "")
    .split(/[^\p{L}\p{N}]+/u);
  return new Set(words.filter((word) => word !== "" && !stopWords.has(word)));
}

/**
 * Jaccard's measure, but other numbers mean another story: another score, another street. 0 for
 * titles that are not alike.
 */
function similarity(a: TitleWords, b: TitleWords): number {
  // Most pairs differ in length or in their first words, so that few are compared to the end.
  let missing = Math.floor((a.size - minSimilarity * b.size) / (1 + minSimilarity));
  let shared = 0;
  for (const word of a) {
    if (b.has(word)) shared += 1;
    else if (--missing < 0) return 0;
  }
  for (const word of a.symmetricDifference(b)) if (/^\d+$/.test(word)) return 0;
  return shared / (a.size + b.size - shared);
}
