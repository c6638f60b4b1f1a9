// Compares a blog with 10,000 posts from 50 domains to one with 100 posts from one domain, and the
// time to render hostile text to the time to render a long article: `npm run bench:blog`. Set
// DATABASE_URL to measure Postgres instead of the built-in database.
import { ownSource } from "../app/features/blog/posts/posts.server.ts";
import { postSitemap } from "../app/features/blog/posts/sitemap.server.ts";
import { blogPosts } from "../app/features/blog/schema.server.ts";
import { createSitemaps } from "../app/features/sitemap/feature.server.ts";
import { createLog } from "../app/lib/log.ts";
import { renderUntrusted } from "../app/lib/text/untrusted-markdown.server.ts";
import type { SitemapServices } from "../app/platform/sitemap.ts";
import { openDatabase } from "../db/client.ts";
import type { Database } from "../db/database.ts";
import { keepSharedReads } from "../db/shared-reads.ts";
import { temporaryFolder } from "../tests/support/server.ts";
import { median, roundToThousandths } from "./support/statistics.ts";

const rounds = 200;
const now = new Date("2026-11-15T12:00:00Z");
const body = "The **harbor** was [quiet](https://a.example/), said *somebody* there.\n\n".repeat(
  30,
);
const domainName = (number: number) => `city-${number}.example`;

async function fill(db: Database, count: number, domains: number): Promise<void> {
  await db.delete(blogPosts);
  for (let start = 0; start < count; start += 100) {
    await db.insert(blogPosts).values(
      Array.from({ length: 100 }, (_, index) => {
        const number = start + index;
        const publishAt = new Date(now.getTime() - number * 3_600_000);
        return {
          slug: `post-${number}`,
          domain: domainName(number % domains),
          metaTitle: `Post ${number}`,
          blog: body,
          metaDescription: "A description of typical length, about one line on a phone.",
          publishAt,
          date: publishAt.toISOString(),
          state: "published" as const,
          createdAt: now,
        };
      }),
    );
  }
}

/** Returns the median of many runs, in milliseconds. */
async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return median(times.slice(rounds / 4));
}

const data = await temporaryFolder();
const database = await openDatabase({
  dataDir: data.path,
  databaseUrl: process.env.DATABASE_URL,
  onError: console.error,
});
try {
  const log = createLog({ write() {} });
  const sharedReads = keepSharedReads(database.db, { now: () => performance.now(), onError() {} });
  const source = ownSource({ db: database.db, files: [], now });
  const sitemaps = createSitemaps([{ name: "blog", sitemap: postSitemap }]);
  // The part of the services that the sitemap uses.
  const services = {
    db: database.db,
    clock: () => now,
    log,
    expireAt() {},
    site: {
      read: () => ({ origin: `https://${domainName(0)}`, timeZone: "UTC" }),
      readAll: () => [],
    },
  } as unknown as SitemapServices;
  const measure = async (lastPage: number) => ({
    "first page": await measureMs(() => source.list(domainName(0), 1)),
    "last page": await measureMs(() => source.list(domainName(0), lastPage)),
    "an article": await measureMs(() => source.details("post-50")),
    "its neighbors": await measureMs(() => source.recent(domainName(0))),
    "the sitemap": await measureMs(() => sitemaps.writePart(services, "blog.xml")),
  });
  await fill(database.db, 100, 1);
  const few = await measure(10);
  await fill(database.db, 10_000, 50);
  sharedReads.clear();
  const many = await measure(20);
  await fill(database.db, 10_000, 1);
  sharedReads.clear();
  const oneDomain = await measure(1_000);
  const rows = Object.fromEntries(
    Object.keys(few).map((name) => {
      const [fewMs, manyMs, oneDomainMs] = [few, many, oneDomain].map((figures) =>
        Reflect.get(figures, name),
      );
      return [
        name,
        {
          "100 posts, ms": roundToThousandths(fewMs),
          "10,000 in 50 domains, ms": roundToThousandths(manyMs),
          ratio: roundToThousandths(manyMs / fewMs),
          "10,000 in one domain, ms": roundToThousandths(oneDomainMs),
        },
      ];
    }),
  );
  console.table(rows);
} finally {
  await database.close();
  await data.remove();
}

const options = { origin: "https://a.example", toImagePath: () => null };
const renderMs = (text: string) => {
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now();
    renderUntrusted(text, options);
    return performance.now() - began;
  });
  return median(times);
};
const articleMs = renderMs(
  `${"The **harbor** was [quiet](/), said *somebody* there. ".repeat(8)}\n\n`.repeat(60),
);
const hostileUnits = {
  "nested emphasis": "*a **b ",
  quotes: ">",
  brackets: "[",
  "deep elements": "<div>",
  lists: "- a\n\n",
};
console.table(
  Object.fromEntries(
    Object.entries(hostileUnits).map(([name, unit]) => {
      const [smallMs, halfMs, fullMs] = [25_000, 500_000, 1_000_000].map((length) =>
        renderMs(unit.repeat(length / unit.length)),
      );
      const growth = roundToThousandths((fullMs ?? 0) / (halfMs ?? 1));
      return [
        name,
        {
          "25 KB, ms": roundToThousandths(smallMs ?? 0),
          "1 MB, ms": roundToThousandths(fullMs ?? 0),
          "1 MB / 500 KB": growth,
          "1 MB / 28 KB article": roundToThousandths((fullMs ?? 0) / articleMs),
        },
      ];
    }),
  ),
);
