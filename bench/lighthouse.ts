// Runs Lighthouse (mobile) three times on every page and prints the medians: `npm run lighthouse`,
// or `npm run lighthouse -- /about`. Lighthouse is 180 MB, so this script downloads it instead of
// every install.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { buildIfNeeded } from "../server/process/build.ts";
import { browserFlags, findBrowser } from "../tests/support/browser.ts";
import { pagePaths } from "../tests/support/routes.ts";
import { startServer, temporaryFolder } from "../tests/support/server.ts";

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

const median = (values: number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

const requestedPaths = process.argv.slice(2);
// The "not found" page tells search engines not to index it, so its SEO score means nothing.
const paths =
  requestedPaths.length > 0 ? requestedPaths : pagePaths.filter((path) => path !== "/no-such-page");

await buildIfNeeded(console.log);
const data = await temporaryFolder();
const server = await startServer({ DATA_DIR: data.path });
try {
  const rows: Record<string, Record<string, number>> = {};
  for (const path of paths) {
    const reports: Report[] = [];
    for (let turn = 0; turn < runs; turn += 1) {
      reports.push(await measure(server.url + path, join(data.path, "report.json")));
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
  }
  console.table(rows);
} finally {
  await server.stop();
  await data.remove();
}

/**
 * Runs Lighthouse on one page. Occasionally it loses the beginning of its own trace and has to run
 * again.
 */
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
