/** Headlines with similar titles are the same only if they were published within this time. */
export const similarTitleWindowMs = 48 * 60 * 60 * 1000;
/**
 * Titles from different sources that were published at about the same time and are at least this
 * similar belong to the same headline.
 */
const minSimilarity = 0.75;
/** A headline tells the same news as our story only if the story has this share of its words. */
const minContained = 0.6;
/** At least this many of the shared words must be in the title of our story. */
const minTitleWords = 3;
/** Titles with fewer words than this are not compared. */
const minWords = 4;
/** If many titles share a word, only this many of the newest are compared. */
const maxComparedPerWord = 100;

const stopWords = new Set(
  "a an and are as at be but by for from has have he her his how in into is it its new of on or our over says she that the their they this to up was were what when where who why will with you your after about amid s t".split(
    " ",
  ),
);

export type TitleWords = ReadonlySet<string>;
type TitleEntry<Headline> = { headline: Headline; sourceId: string; words: TitleWords };

export type RecentTitles<Headline> = {
  add(words: TitleWords, sourceId: string, headline: Headline): void;
  /** Returns the headline from another source with the most similar title, or null. */
  find(words: TitleWords, sourceId: string): Headline | null;
};

export function createRecentTitles<Headline>(): RecentTitles<Headline> {
  const entriesByWord = new Map<string, TitleEntry<Headline>[]>();

  return {
    add(words, sourceId, headline) {
      if (words.size < minWords) return;
      const entry = { headline, sourceId, words };
      for (const word of words) {
        const entries = entriesByWord.get(word);
        if (entries) entries.push(entry);
        else entriesByWord.set(word, [entry]);
      }
    },
    find(words, sourceId) {
      if (words.size < minWords) return null;
      // A title that is similar enough shares at least one of the rarest words, so the common words
      // need no lookup.
      const rarest = [...words]
        .map((word) => entriesByWord.get(word) ?? [])
        .sort((a, b) => a.length - b.length)
        .slice(0, Math.floor(words.size * (1 - minSimilarity)) + 1);
      let best: { headline: Headline; score: number } | null = null;
      for (const entries of rarest) {
        for (const entry of entries.slice(-maxComparedPerWord)) {
          if (entry.sourceId === sourceId) continue;
          const score = measureSimilarity(words, entry.words);
          if (score >= minSimilarity && score > (best?.score ?? 0))
            best = { headline: entry.headline, score };
        }
      }
      return best?.headline ?? null;
    },
  };
}

export function toTitleWords(title: string): TitleWords {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}|['’]/gu, "")
    .split(/[^\p{L}\p{N}]+/u);
  return new Set(words.filter((word) => word !== "" && !stopWords.has(word)));
}

const isNumber = (word: string) => /^\d+$/.test(word);

/**
 * Returns the Jaccard similarity, or 0 if it is below the minimum. Titles with different numbers (a
 * score, a street) are never the same headline.
 */
function measureSimilarity(a: TitleWords, b: TitleWords): number {
  // The loop stops as soon as too many words are missing, so most pairs take only a few steps.
  let allowedMissing = Math.floor((a.size - minSimilarity * b.size) / (1 + minSimilarity));
  let shared = 0;
  for (const word of a) {
    if (b.has(word)) shared += 1;
    else if (--allowedMissing < 0) return 0;
  }
  for (const word of a.symmetricDifference(b)) if (isNumber(word)) return 0;
  return shared / (a.size + b.size - shared);
}

/**
 * Returns a function that finds out whether a title tells the same news as our story. Newsrooms
 * rarely choose the same title, so the words of our excerpt count too.
 */
export function createStoryMatcher(story: { title: string; excerpt: string }) {
  const titleWords = toTitleWords(story.title);
  const storyWords = toTitleWords(`${story.title} ${story.excerpt}`);
  return (title: string): boolean => {
    const words = toTitleWords(title);
    const others = words.difference(storyWords);
    return (
      words.size >= minWords &&
      others.size <= words.size * (1 - minContained) &&
      words.intersection(titleWords).size >= minTitleWords &&
      ![...others].some(isNumber)
    );
  };
}
