import { headlines } from "../../app/features/feeds/schema.server.ts";
import type { Database } from "../../db/database.ts";
import { pickWord } from "./feed-texts.ts";

/** A word that is in `times` headlines, regardless of the total number of headlines. */
export const rareWord = { word: "oystercatcher", times: 30 };
/** A word that is in every fourth headline. */
export const commonWord = "harbor";

/** The number of newspapers that published the headlines: `paper-0` and so on. */
export const paperCount = 10;

const batchSize = 1_000;

/**
 * Stores the headlines with the numbers from `from` up to but not including `to`, spread over the
 * two years before `now`.
 */
export async function fillHeadlines(
  db: Database,
  from: number,
  to: number,
  now: Date,
): Promise<void> {
  for (let start = from; start < to; start += batchSize) {
    await db.insert(headlines).values(
      Array.from({ length: Math.min(batchSize, to - start) }, (_, index) => {
        const seed = start + index;
        const words = Array.from({ length: 8 }, (_, n) => pickWord(seed * 31 + n * 17 + n));
        if (seed < rareWord.times) words[2] = rareWord.word;
        if (seed % 4 === 0) words[5] = commonWord;
        const publishedAt = new Date(now.getTime() - ((seed * 7_919) % 1_000_003) * 60_000);
        return {
          identity: `https://paper.example/${seed}`,
          sourceId: `paper-${seed % paperCount}`,
          title: words.join(" "),
          link: `https://paper.example/${seed}`,
          publishedAt: publishedAt,
          firstSeenAt: publishedAt,
          shownAt: publishedAt,
          summary: Array.from({ length: 25 }, (_, n) => pickWord(seed + n * 13)).join(" "),
        };
      }),
    );
  }
}
