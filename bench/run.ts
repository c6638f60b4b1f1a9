// What a page costs, beside a bare server that only hands out the same bytes: `npm run bench`.
// Times depend on the machine; the ratio of two measured in one run says something about the software.
import { createServer } from "node:http";
import { buildIfNeeded } from "../server/build.ts";
import { startServer, temporaryFolder } from "../tests/support/server.ts";
import { load } from "./load.ts";

const rounds = 3;
const options = { clients: 16, seconds: 3 };

await buildIfNeeded(console.log);
const data = await temporaryFolder();
const server = await startServer({ DATA_DIR: data.path });
const answer = await fetch(`${server.url}/about`, { headers: { "accept-encoding": "gzip" } });
const page = Buffer.from(await answer.arrayBuffer());
const bare = createServer((_, response) => response.end(page)).listen(0, "127.0.0.1");
await new Promise((resolve) => bare.once("listening", resolve));
const address = bare.address();
const bareUrl = `http://localhost:${typeof address === "object" ? address?.port : ""}`;

try {
  const targets = { "bare node:http": bareUrl, "rendered page": server.url };
  const results: Record<string, { requestsPerSecond: number; p50: number; p99: number }[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, url] of Object.entries(targets)) {
      results[name] ??= [];
      results[name].push(await load(url, "/about", options));
    }
  }
  const rows = Object.fromEntries(
    Object.entries(results).map(([name, all]) => {
      const rates = all.map(({ requestsPerSecond }) => Math.round(requestsPerSecond));
      const middle = all[rounds >> 1];
      return [
        name,
        {
          "requests/s": middlemost(rates),
          from: Math.min(...rates),
          to: Math.max(...rates),
          "p50 ms": round1(middle?.p50),
          "p99 ms": round1(middle?.p99),
        },
      ];
    }),
  );
  console.table(rows);
  const ratio = (rows["rendered page"]?.["requests/s"] ?? 0) / (rows["bare node:http"]?.["requests/s"] ?? 1);
  console.log(`rendered page / bare node:http = ${ratio.toFixed(3)}`);
} finally {
  bare.close();
  bare.closeAllConnections();
  await server.stop();
  await data.remove();
}

function middlemost(values: number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

function round1(value = 0): number {
  return Math.round(value * 10) / 10;
}
