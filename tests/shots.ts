// Saves screenshots of every page, light and dark, in shots/: `npm run shots`, or
// `npm run shots -- /about /faq`. With --day, the city has an afternoon with headlines, photo stories
// and events. With --widths=320,1920, the screens have these widths instead of 390, 820 and 1440.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { buildIfNeeded } from "../server/process/build.ts";
import { browserFlags, findBrowser } from "./support/browser.ts";
import { startCityDay } from "./support/city-day.ts";
import { pagePaths } from "./support/routes.ts";
import { startServer, temporaryFolder } from "./support/server.ts";

const schemes = ["light", "dark"] as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    day: { type: "boolean", default: false },
    widths: { type: "string", default: "390,820,1440" },
  },
});
const widths = values.widths.split(",").map(Number);
const paths = positionals.length > 0 ? positionals : pagePaths;

await buildIfNeeded(console.log);
await mkdir("shots", { recursive: true });
const city = await (values.day ? startCityDay() : startEmptyCity());
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
try {
  for (const colorScheme of schemes) {
    for (const width of widths) {
      const page = await browser.newPage({
        viewport: { width, height: 900 },
        colorScheme,
        reducedMotion: "reduce",
      });
      await page.clock.setFixedTime(city.now);
      for (const path of paths) {
        await page.goto(city.server.url + path, { waitUntil: "networkidle" });
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
  await city.close();
}

/** Starts the city as it ships, with an empty database. */
async function startEmptyCity() {
  const data = await temporaryFolder();
  const server = await startServer({ DATA_DIR: data.path });
  return {
    server,
    now: new Date(),
    async close() {
      await server.stop();
      await data.remove();
    },
  };
}
