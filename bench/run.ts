// Compares the cost of pages to a bare server that only sends the same bytes: `npm run bench`.
// Absolute times depend on the machine; only ratios of times from the same run say something about
// the software. A page that costs 20 % more than in bench/baseline.json is printed in red; `npm run
// bench -- --save` replaces that file, and `--only=desk` measures only the bare server and the rows
// whose name contains "desk".
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { styleText } from "node:util";
import { z } from "zod";
import { buildIfNeeded } from "../server/process/build.ts";
import { startCity } from "../tests/support/city.ts";
import { findFreePort } from "../tests/support/free-port.ts";
import { startLiveCity } from "../tests/support/live-city.ts";
import { type RunningServer, startServer, temporaryFolder } from "../tests/support/server.ts";
import { createSignInPath, deskYaml, storeMessages } from "../tests/support/waiting.ts";
import { newVisitor, runLoad } from "./support/load.ts";
import { median, roundToThousandths } from "./support/statistics.ts";

const rounds = 5;
const loadOptions = { clients: 16, seconds: 2 };
const rendered = [
  "/",
  "/about",
  "/news",
  "/local",
  "/events",
  "/blog",
  "/news/marble-steps",
  "/search?q=harbor",
];
const maxRatioToBaseline = 1.2;
const baselineFile = "bench/baseline.json";
/** The CPU time of each case, as a ratio to that of the bare server. */
const baselineSchema = z.record(z.string(), z.number());

type Case = {
  name: string;
  server: Omit<RunningServer, "setClock" | "waitForOutput">;
  request: string;
  /** The port that serves the metrics of a server whose pages are rendered for every request. */
  metricsPort?: number;
};
type Figures = {
  rate: number;
  p50: number;
  p99: number;
  cpuMs: number;
  mainThreadMs: number;
  statements: number;
};

await buildIfNeeded(console.log);
const data = await temporaryFolder();
const metricsPort = await findFreePort();
// The output of this server is ignored, because reading its log would take time from the load.
const server = await startServer({ DATA_DIR: data.path }, "server/start.ts", "ignore");
const uncached = await startLiveCity(
  { PAGE_CACHE: "off", TRUST_PROXY: "1", METRICS_PORT: String(metricsPort) },
  "server/start.ts",
);
const deskMetricsPort = await findFreePort();
const desk = await startCity(
  {},
  { TRUST_PROXY: "1", METRICS_PORT: String(deskMetricsPort) },
  { "desk.yaml": deskYaml },
  (dataDir) => storeMessages(dataDir, 500, new Date()),
  "server/start.ts",
);
const entered = await fetch(desk.server.url + (await createSignInPath(desk.dataDir)), {
  method: "POST",
  redirect: "manual",
});
const cookie = entered.headers.get("Set-Cookie")?.split(";")[0] ?? "";
const deskName = "rendered /desk/waiting, 500 messages";
const page = await requestRaw(`${server.url}/about`, "br");
const etag = page.headers[page.headers.indexOf("ETag") + 1];
const file = join(data.path, "page");
await writeFile(file, page.body);
await writeFile(`${file}.headers.json`, JSON.stringify(page.headers));
const bareServer = await startServer({ PAGE_FILE: file }, "bench/support/bare-server.ts");

const about = "GET /about HTTP/1.1\r\nAccept-Encoding:";
const bareName = "bare node:http";
const cases: Case[] = [
  { name: bareName, server: bareServer, request: `${about} br` },
  { name: "from memory, brotli", server, request: `${about} br` },
  { name: "from memory, gzip", server, request: `${about} gzip` },
  {
    name: "from memory, 304",
    server,
    request: `${about} br\r\nIf-None-Match: ${etag}`,
  },
  ...rendered.map((path) => ({
    name: `rendered ${path}`,
    server: uncached.server,
    request: `GET ${path} HTTP/1.1\r\nAccept-Encoding: gzip\r\nX-Forwarded-For: ${newVisitor}`,
    metricsPort,
  })),
  {
    name: deskName,
    server: desk.server,
    request: `GET /desk/waiting HTTP/1.1\r\nAccept-Encoding: gzip\r\nCookie: ${cookie}\r\nX-Forwarded-For: ${newVisitor}`,
    metricsPort: deskMetricsPort,
  },
];

const only = process.argv.find((arg) => arg.startsWith("--only="))?.slice("--only=".length) ?? "";
const measured = cases.filter(({ name }) => name === bareName || name.includes(only));

try {
  const figures = new Map<string, Figures[]>(measured.map(({ name }) => [name, []]));
  // Rounds alternate between the cases, so that a slow moment of the machine affects all of them.
  for (let round = 0; round < rounds; round += 1)
    for (const tested of measured)
      figures.get(tested.name)?.push(
        await measure(tested).catch((error: unknown) => {
          throw new Error(`${tested.name}: ${error}`);
        }),
      );
  const sizes = new Map<string, number>();
  for (const path of rendered)
    sizes.set(
      `rendered ${path}`,
      (await requestRaw(uncached.server.url + path, "gzip")).body.length,
    );
  const deskPage = await requestRaw(`${desk.server.url}/desk/waiting`, "gzip", { cookie });
  sizes.set(deskName, deskPage.body.length);
  await report(figures, sizes);
} finally {
  await bareServer.stop();
  await server.stop();
  await uncached.close();
  await desk.close();
  await data.remove();
}

async function report(figures: Map<string, Figures[]>, sizes: Map<string, number>): Promise<void> {
  const medianOf = (name: string, key: keyof Figures) =>
    median((figures.get(name) ?? []).map((run) => run[key]));
  const rows: Record<string, Record<string, number | string>> = {};
  const costs: z.output<typeof baselineSchema> = {};
  for (const [name, runs] of figures) {
    const rates = runs.map(({ rate }) => rate);
    costs[name] = roundToThousandths(medianOf(name, "cpuMs") / medianOf(bareName, "cpuMs"));
    rows[name] = {
      "requests/s": Math.round(median(rates)),
      spread: `${Math.round(Math.min(...rates))} – ${Math.round(Math.max(...rates))}`,
      "p50 ms": roundToThousandths(medianOf(name, "p50")),
      "p99 ms": roundToThousandths(medianOf(name, "p99")),
      "CPU ms": roundToThousandths(medianOf(name, "cpuMs")),
      "main thread ms": roundToThousandths(medianOf(name, "mainThreadMs")),
      statements: roundToThousandths(medianOf(name, "statements")),
      "gzip KB": Math.round((sizes.get(name) ?? 0) / 102.4) / 10,
      "rate of bare": roundToThousandths(median(rates) / medianOf(bareName, "rate")),
      "CPU of bare": costs[name],
    };
  }
  console.table(rows);
  const baseline = baselineSchema.parse(JSON.parse(readFileSync(baselineFile, "utf8")));
  if (process.argv.includes("--save")) {
    Object.assign(baseline, costs);
    await writeFile(baselineFile, `${JSON.stringify(baseline, null, 2)}\n`);
  }
  for (const [name, cost] of Object.entries(costs)) {
    const before = baseline[name];
    if (before !== undefined && cost > before * maxRatioToBaseline)
      console.log(
        styleText(
          "red",
          `${name}: ${cost} times the CPU time of a bare server, ${before} at the last release`,
        ),
      );
  }
}

/** Returns a response as it is on the wire: compressed, with its headers in order. */
async function requestRaw(
  url: string,
  encoding: string,
  headers: Record<string, string> = {},
): Promise<{ headers: string[]; body: Buffer }> {
  const options = { headers: { "accept-encoding": encoding, ...headers }, agent: false };
  const [response]: IncomingMessage[] = await once(get(url, options), "response");
  if (!response) throw new Error(`${url} did not respond.`);
  return { headers: response.rawHeaders, body: await buffer(response) };
}

async function measure({ server, request, metricsPort }: Case): Promise<Figures> {
  const pid = server.process.pid ?? 0;
  const statementsBefore = await countStatements(metricsPort);
  const before = readCpuMs(pid);
  const { requests, requestsPerSecond, p50, p99 } = await runLoad(server.url, request, loadOptions);
  const after = readCpuMs(pid);
  return {
    rate: requestsPerSecond,
    p50,
    p99,
    cpuMs: (after.all - before.all) / requests,
    mainThreadMs: (after.main - before.main) / requests,
    statements: ((await countStatements(metricsPort)) - statementsBefore) / requests,
  };
}

async function countStatements(port: number | undefined): Promise<number> {
  if (port === undefined) return 0;
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^harborline_database_statements_total (\d+)/m.exec(metrics)?.[1]);
}

/**
 * Reads the CPU time of all threads and of the main thread in ms. A stat file has it in fields 14
 * and 15, in hundredths of a second.
 */
function readCpuMs(pid: number): { all: number; main: number } {
  const read = (statFile: string) => {
    const fields = readFileSync(statFile, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  };
  return { all: read(`/proc/${pid}/stat`), main: read(`/proc/${pid}/task/${pid}/stat`) };
}
