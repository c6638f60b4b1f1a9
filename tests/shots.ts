// Saves screenshots of every page at three widths, light and dark, in shots/: `npm run shots`, or
// `npm run shots -- /about /faq`.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { buildIfNeeded } from "../server/process/build.ts";
import { browserFlags, findBrowser } from "./support/browser.ts";
import { pagePaths } from "./support/routes.ts";
import { startServer, temporaryFolder } from "./support/server.ts";

const widths = [390, 820, 1440];
const schemes = ["light", "dark"] as const;
const requestedPaths = process.argv.slice(2);
const paths = requestedPaths.length > 0 ? requestedPaths : pagePaths;

await buildIfNeeded(console.log);
await mkdir("shots", { recursive: true });
const data = await temporaryFolder();
const server = await startServer({ DATA_DIR: data.path });
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
try {
  for (const colorScheme of schemes) {
    for (const width of widths) {
      const page = await browser.newPage({
        viewport: { width, height: 900 },
        colorScheme,
        reducedMotion: "reduce",
      });
      for (const path of paths) {
        await page.goto(server.url + path, { waitUntil: "networkidle" });
        // Lazy images load when they are near the viewport, so scroll through the page once.
        await page.evaluate(async () => {
          for (let y = 0; y < document.body.scrollHeight; y += 600) {
            scrollTo(0, y);
            await new Promise(requestAnimationFrame);
          }
          scrollTo(0, 0);
        });
        const name = `${path.replaceAll("/", "_").replace(/^_$/, "_home").slice(1)}-${width}-${colorScheme}.png`;
        await page.screenshot({ path: join("shots", name), fullPage: true });
        console.log(`shots/${name}`);
      }
      await page.close();
    }
  }
} finally {
  await browser.close();
  await server.stop();
  await data.remove();
}
