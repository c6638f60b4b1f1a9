// Runs Lighthouse (mobile) on all pages and prints the median of three runs each: `npm run
// lighthouse`, or `npm run lighthouse -- /about`. Lighthouse is 180 MB, so it is downloaded here
// instead of with every install.
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
const lighthouse = "lighthouse@13.5.0";
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;

const score = z.object({ score: z.number().nullable() });
const metric = z.object({ numericValue: z.number().optional() });
const report = z.object({
  categories: z.record(z.enum(categories), score),
  audits: z.object({
    "largest-contentful-paint": metric,
    "total-blocking-time": metric,
    "cumulative-layout-shift": metric,
    "total-byte-weight": metric,
  }),
});

type Report = z.output<typeof report>;

const median = (values: number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

const requestedPaths = process.argv.slice(2);
// The missing page tells search engines not to index it, so its SEO score means nothing.
const paths =
  requestedPaths.length > 0 ? requestedPaths : pagePaths.filter((path) => path !== "/no-such-page");

await buildIfNeeded(console.log);
const data = await temporaryFolder();
const server = await startServer({ DATA_DIR: data.path });
try {
  const rows: Record<string, Record<string, number>> = {};
  for (const path of paths) {
    const measured: Report[] = [];
    for (let turn = 0; turn < runs; turn += 1) {
      measured.push(await measure(server.url + path, join(data.path, "report.json")));
    }
    const audit = (name: keyof Report["audits"]) =>
      median(measured.map(({ audits }) => audits[name].numericValue ?? 0));
    rows[path] = {
      ...Object.fromEntries(
        categories.map((name) => [
          name,
          100 * median(measured.map((one) => one.categories[name].score ?? 0)),
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

/** Now and then Lighthouse loses the beginning of its own trace and has to be run again. */
async function measure(url: string, output: string, triesLeft = 3): Promise<Report> {
  const args = [
    "exec",
    "--yes",
    `--package=${lighthouse}`,
    "--",
    "lighthouse",
    url,
    "--quiet",
    "--output=json",
    `--output-path=${output}`,
    `--only-categories=${categories.join(",")}`,
    `--chrome-flags=--headless ${browserFlags.join(" ")}`,
  ];
  try {
    await promisify(execFile)("npm", args, { env: { ...process.env, CHROME_PATH: findBrowser() } });
  } catch (error) {
    if (triesLeft === 1) throw error;
    return measure(url, output, triesLeft - 1);
  }
  return report.parse(JSON.parse(await readFile(output, "utf8")));
}
