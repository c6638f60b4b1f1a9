import { headlines } from "../../app/features/feeds/schema.server.ts";
import type { Database } from "../../db/database.ts";
import { word } from "./feed-texts.ts";

/** A word that is in this many headlines, whatever their total number is. */
export const rare = { word: "oystercatcher", times: 30 };
/** A word that is in every fourth headline. */
export const common = "harbor";

/** The number of newspapers that published the headlines: `paper-0` and so on. */
export const paperCount = 10;

const batchSize = 1_000;

/** Stores headlines number `from` to `to`, spread over the two years before `now`. */
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
        const words = Array.from({ length: 8 }, (_, n) => word(seed * 31 + n * 17 + n));
        if (seed < rare.times) words[2] = rare.word;
        if (seed % 4 === 0) words[5] = common;
        const at = new Date(now.getTime() - ((seed * 7_919) % 1_000_003) * 60_000);
        return {
          identity: `https://paper.example/${seed}`,
          sourceId: `paper-${seed % paperCount}`,
          title: words.join(" "),
          link: `https://paper.example/${seed}`,
          publishedAt: at,
          firstSeenAt: at,
          shownAt: at,
          summary: Array.from({ length: 25 }, (_, n) => word(seed + n * 13)).join(" "),
        };
      }),
    );
  }
}
