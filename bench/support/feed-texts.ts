const itemsPerFeed = 50;

const syllables = "ba co du fe gi ha jo ku le mi no pa qui ro su ta ve wo xi za".split(" ");
const syllable = (number: number) => syllables[number % syllables.length] ?? "";
/**
 * Returns one of four thousand words. As in any language, some words are far more frequent than
 * others.
 */
export function pickWord(seed: number): string {
  const random = ((seed * 2_654_435_761) >>> 0) / 2 ** 32;
  const rank = Math.floor(4_000 * random ** 3);
  return syllable(rank) + syllable(Math.floor(rank / 20)) + syllable(Math.floor(rank / 400));
}

/**
 * Returns a typical feed: each item has a title of eight words, a summary of forty words, a date, a
 * guid, and a link with tracking parameters.
 */
export function createFeedText(feed: number): string {
  const items = Array.from({ length: itemsPerFeed }, (_, index) => {
    const seed = feed * itemsPerFeed + index;
    const title = Array.from({ length: 8 }, (_, n) => pickWord(seed * 31 + n * 17 + n)).join(" ");
    const text = Array.from({ length: 40 }, (_, n) => pickWord(seed + n * 13)).join(" ");
    const date = new Date(Date.UTC(2026, 10, 15) - seed * 1_000).toUTCString();
    return `<item><title>${title} ${seed}</title><link>https://paper-${feed}.example/${seed}?utm_source=rss</link><guid isPermaLink="false">${seed}</guid><pubDate>${date}</pubDate><description><![CDATA[<p>${text} <a href="https://paper-${feed}.example/">more</a></p>]]></description></item>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Paper ${feed}</title><link>https://paper-${feed}.example/</link>${items.join("")}</channel></rss>`;
}
