/** Titles this much alike, close in time and from different sources, are the same story. */
const alike = 0.75;
const fewestWords = 4;
/** A word that this many titles share says little; only the newest of them are compared. */
const comparedPerWord = 100;

const empty = new Set(
  "a an and are as at be but by for from has have he her his how in into is it its new of on or our over says she that the their they this to up was were what when where who why will with you your after about amid s t".split(
    " ",
  ),
);

type Title = { headlineId: number; sourceId: string; words: Set<string> };

/** The titles of the last days, found again by their words. */
export type RecentTitles = {
  add(title: string, sourceId: string, headlineId: number): void;
  /** The story that another source tells under much the same title. */
  find(title: string, sourceId: string): number | null;
};

export function recentTitles(): RecentTitles {
  const byWord = new Map<string, Title[]>();

  return {
    add(title, sourceId, headlineId) {
      const entry = { headlineId, sourceId, words: wordsOf(title) };
      if (entry.words.size < fewestWords) return;
      for (const word of entry.words) {
        const entries = byWord.get(word);
        if (entries) entries.push(entry);
        else byWord.set(word, [entry]);
      }
    },
    find(title, sourceId) {
      const words = wordsOf(title);
      if (words.size < fewestWords) return null;
      // Two titles this much alike share at least one of this one's rarest words; the common ones need no look.
      const rarest = [...words]
        .sort((a, b) => (byWord.get(a)?.length ?? 0) - (byWord.get(b)?.length ?? 0))
        .slice(0, Math.floor(words.size * (1 - alike)) + 1);
      let best: { headlineId: number; score: number } | null = null;
      for (const word of rarest) {
        for (const entry of byWord.get(word)?.slice(-comparedPerWord) ?? []) {
          if (entry.sourceId === sourceId) continue;
          const score = likeness(words, entry.words);
          if (score >= alike && score > (best?.score ?? 0)) best = { headlineId: entry.headlineId, score };
        }
      }
      return best?.headlineId ?? null;
    },
  };
}

function wordsOf(title: string): Set<string> {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}|['’]/gu, "")
    .split(/[^\p{L}\p{N}]+/u);
  return new Set(words.filter((word) => word !== "" && !empty.has(word)));
}

/** Jaccard's measure, but other numbers mean another story: another score, another street. */
function likeness(a: Set<string>, b: Set<string>): number {
  const shared = a.intersection(b);
  for (const word of a.symmetricDifference(b)) if (/^\d+$/.test(word)) return 0;
  return shared.size / (a.size + b.size - shared.size);
}
