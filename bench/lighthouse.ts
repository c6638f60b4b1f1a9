// Runs Lighthouse (mobile) three times on every page and prints the medians: `npm run lighthouse`,
// or `npm run lighthouse -- /about`. Lighthouse is 180 MB, so it is not a dependency, and this
// script downloads it. The city gets a story and an event of its own, because search engines must
// not index samples, so the SEO score of a sample means nothing.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { buildIfNeeded } from "../server/process/build.ts";
import { browserFlags, findBrowser } from "../tests/support/browser.ts";
import type { TestCity } from "../tests/support/city.ts";
import { startLiveCity } from "../tests/support/live-city.ts";
import { createPhoto } from "../tests/support/photo.ts";
import { pagePaths } from "../tests/support/routes.ts";
import { median } from "./support/statistics.ts";

const runs = 3;
const lighthousePackage = "lighthouse@13.5.0";
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;

const scoreSchema = z.object({ score: z.number().nullable() });
const metricSchema = z.object({ numericValue: z.number().optional() });
const reportSchema = z.object({
  categories: z.record(z.enum(categories), scoreSchema),
  audits: z.object({
    "largest-contentful-paint": metricSchema,
    "total-blocking-time": metricSchema,
    "cumulative-layout-shift": metricSchema,
    "total-byte-weight": metricSchema,
  }),
});

type Report = z.output<typeof reportSchema>;

const requestedPaths = process.argv.slice(2);
/** Pages that tell search engines not to index them, so their SEO score means nothing. */
const unindexed = ["/no-such-page", "/news/marble-steps", "/events/lantern-walk"];
const ownPages = ["/news/ferry-returns", "/events/ferry-day"];
const paths =
  requestedPaths.length > 0
    ? requestedPaths
    : [...pagePaths.filter((path) => !unindexed.includes(path)), ...ownPages];

await buildIfNeeded(console.log);
const city = await startLiveCity();
const { server } = city;
try {
  await addOwnContent(city);
  const rows: Record<string, Record<string, number>> = {};
  for (const path of paths) {
    const reports: Report[] = [];
    for (let turn = 0; turn < runs; turn += 1) {
      reports.push(await measure(server.url + path, join(city.dataDir, "report.json")));
    }
    const audit = (name: keyof Report["audits"]) =>
      median(reports.map(({ audits }) => audits[name].numericValue ?? 0));
    rows[path] = {
      ...Object.fromEntries(
        categories.map((name) => [
          name,
          100 * median(reports.map((report) => report.categories[name].score ?? 0)),
        ]),
      ),
      "LCP ms": Math.round(audit("largest-contentful-paint")),
      "TBT ms": Math.round(audit("total-blocking-time")),
      CLS: Math.round(audit("cumulative-layout-shift") * 1000) / 1000,
      KB: Math.round(audit("total-byte-weight") / 1024),
    };
    console.log(path, JSON.stringify(rows[path]));
  }
  console.table(rows);
} finally {
  await city.close();
}

/** Adds a story with a photo and an event, and waits until both are live. */
async function addOwnContent({ siteFolder }: TestCity): Promise<void> {
  const write = (path: string, content: string | Buffer) =>
    writeFile(join(siteFolder, path), content);
  const source = await readFile(join(siteFolder, "news/marble-steps.md"), "utf8");
  const [, , body = ""] = source.split(/^---$/m);
  await write("news/ferry.jpg", await createPhoto());
  await write(
    "news/ferry-returns.md",
    `---
title: Ferry Returns to Canton
excerpt: After six years, a boat crosses the harbor again.
category: Neighborhoods
date: 2026-11-15 09:00
author: Ada Byrd
image: { file: ferry.jpg, alt: Rowhouses by the water at dusk, credit: Ada Byrd }
---${body}`,
  );
  const event = await readFile(join(siteFolder, "events/jazz-on-the-square.md"), "utf8");
  await write(
    "events/ferry-day.md",
    event.replace("sample: true\n", "").replace(/^months:.*\n/m, ""),
  );
  for (const path of ownPages)
    while ((await fetch(server.url + path)).status !== 200) await pause(100);
}

/** Occasionally Lighthouse loses the beginning of its own trace and has to run again. */
async function measure(url: string, reportFile: string, triesLeft = 3): Promise<Report> {
  const args = [
    "exec",
    "--yes",
    `--package=${lighthousePackage}`,
    "--",
    "lighthouse",
    url,
    "--quiet",
    "--output=json",
    `--output-path=${reportFile}`,
    `--only-categories=${categories.join(",")}`,
    `--chrome-flags=--headless ${browserFlags.join(" ")}`,
  ];
  try {
    await promisify(execFile)("npm", args, { env: { ...process.env, CHROME_PATH: findBrowser() } });
  } catch (error) {
    if (triesLeft === 1) throw error;
    return measure(url, reportFile, triesLeft - 1);
  }
  return reportSchema.parse(JSON.parse(await readFile(reportFile, "utf8")));
}
