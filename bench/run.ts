// Compares the cost of a page to a bare server that only sends the same bytes: `npm run bench`.
// Absolute times depend on the machine; the ratio of two times from the same run says something
// about the software.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { buildIfNeeded } from "../server/process/build.ts";
import { type RunningServer, startServer, temporaryFolder } from "../tests/support/server.ts";
import { newVisitor, runLoad } from "./support/load.ts";
import { startNginxFileServer } from "./support/nginx-server.ts";
import { median, roundToThousandths } from "./support/statistics.ts";

const rounds = 5;
const loadOptions = { clients: 16, seconds: 2 };

type Case = {
  name: string;
  server: Omit<RunningServer, "setClock" | "waitForOutput">;
  request: string;
};
type Figures = { rate: number; p50: number; p99: number; cpuMs: number };

await buildIfNeeded(console.log);
const data = await temporaryFolder();
const server = await startServer(
  { DATA_DIR: data.path, TRUST_PROXY: "1" },
  "server/main.ts",
  "ignore",
);
const page = await requestRaw(`${server.url}/about`, { "accept-encoding": "br" });
const etag = page.headers[page.headers.indexOf("ETag") + 1];
const file = join(data.path, "page");
await writeFile(file, page.body);
await writeFile(`${file}.headers.json`, JSON.stringify(page.headers));
const bareServer = await startServer({ PAGE_FILE: file }, "bench/support/bare-server.ts");
const nginx = await startNginxFileServer(file);

const cases: Case[] = [
  {
    name: "bare node:http",
    server: bareServer,
    request: "GET /about HTTP/1.1\r\nAccept-Encoding: br",
  },
  { name: "cached page, brotli", server, request: "GET /about HTTP/1.1\r\nAccept-Encoding: br" },
  { name: "cached page, gzip", server, request: "GET /about HTTP/1.1\r\nAccept-Encoding: gzip" },
  {
    name: "cached page, 304",
    server,
    request: `GET /about HTTP/1.1\r\nAccept-Encoding: br\r\nIf-None-Match: ${etag}`,
  },
  {
    name: "uncached render",
    server,
    request: `GET /newsletter HTTP/1.1\r\nAccept-Encoding: identity\r\nX-Forwarded-For: ${newVisitor}`,
  },
];
if (nginx) cases.push({ name: "nginx, as a file", server: nginx, request: "GET /about HTTP/1.1" });

try {
  const figures = new Map<string, Figures[]>(cases.map(({ name }) => [name, []]));
  // Rounds alternate between the cases, so that a slow moment of the machine affects all of them.
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, server: target, request } of cases)
      figures.get(name)?.push(await measure(target, request));
  }
  const bareRate = median((figures.get("bare node:http") ?? []).map(({ rate }) => rate));
  const rows: Record<string, Record<string, number | string>> = {};
  for (const [name, runs] of figures) {
    const rates = runs.map(({ rate }) => rate);
    rows[name] = {
      "requests/s": Math.round(median(rates)),
      spread: `${Math.round(Math.min(...rates))} – ${Math.round(Math.max(...rates))}`,
      "p50 ms": roundToThousandths(median(runs.map(({ p50 }) => p50))),
      "p99 ms": roundToThousandths(median(runs.map(({ p99 }) => p99))),
      "CPU ms": roundToThousandths(median(runs.map(({ cpuMs }) => cpuMs))),
      "of bare": roundToThousandths(median(rates) / bareRate),
    };
  }
  console.table(rows);
} finally {
  await bareServer.stop();
  await nginx?.stop();
  await server.stop();
  await data.remove();
}

/** Returns a response as it is on the wire: compressed, with its headers in order. */
async function requestRaw(
  url: string,
  headers: Record<string, string>,
): Promise<{ headers: string[]; body: Buffer }> {
  const [response]: IncomingMessage[] = await once(get(url, { headers, agent: false }), "response");
  if (!response) throw new Error(`${url} did not respond.`);
  return { headers: response.rawHeaders, body: await buffer(response) };
}

async function measure(
  { url, process: { pid } }: Case["server"],
  request: string,
): Promise<Figures> {
  const before = readCpuMs(pid);
  const { requests, requestsPerSecond, p50, p99 } = await runLoad(url, request, loadOptions);
  return { rate: requestsPerSecond, p50, p99, cpuMs: (readCpuMs(pid) - before) / requests };
}

/**
 * Reads the CPU time that a process has used: fields 14 and 15 of /proc/<pid>/stat, in hundredths
 * of a second.
 */
function readCpuMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
