// Clicks every internal link of every page, at desktop and phone width, and compares each page with
// a direct load: `npm run crawl`. To start at another page: `npm run crawl -- /blog`.
import { chromium } from "@playwright/test";
import { buildIfNeeded } from "../server/process/build.ts";
import { browserFlags, findBrowser } from "./support/browser.ts";
import { crawl, type Difference } from "./support/crawl.ts";
import { startServer, temporaryFolder } from "./support/server.ts";

const [start = "/"] = process.argv.slice(2);
const viewports = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

await buildIfNeeded(console.log);
const data = await temporaryFolder();
const server = await startServer({ DATA_DIR: data.path, TRUST_PROXY: "127.0.0.1" });
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
const differences: Difference[] = [];
try {
  await Promise.all(
    viewports.map(async (viewport) => {
      const context = await browser.newContext({
        baseURL: server.url,
        viewport,
        reducedMotion: "reduce",
      });
      await context.addInitScript(() => localStorage.setItem("donation.never", "1"));
      const [reader, direct] = [await context.newPage(), await context.newPage()];
      const report = await crawl({
        origin: server.url,
        reader,
        direct,
        clicks: "everywhere",
        start,
        onPage: (path, { pages, clicks }) =>
          console.log(`${viewport.width} px  ${pages} pages, ${clicks} clicks  ${path}`),
      });
      differences.push(...report.differences);
    }),
  );
} finally {
  await browser.close();
  await server.stop();
  await data.remove();
}
for (const { width, from, to, description } of differences)
  console.log(`${width} px  ${from} → ${to}: ${description}`);
console.log(`${differences.length} differences`);
process.exitCode = differences.length === 0 ? 0 : 1;
