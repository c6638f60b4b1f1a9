import { once } from "node:events";
import { statfs } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { hasErrorCode } from "../../app/lib/error-code.ts";
import { errorFields, type Log } from "../../app/lib/log.ts";
import {
  counter,
  formatMetrics,
  gauge,
  type Metric,
  type MetricGroup,
  metricsType,
} from "../../app/lib/metrics.ts";
import { SetupError } from "./setup-error.ts";
import { version } from "./version.ts";

/**
 * Nobody but programs of this machine may ask: the figures are not secret, but they are not for
 * readers either.
 */
const host = "127.0.0.1";
/**
 * A page that a reader has open could point its own name at this machine; it cannot choose the name
 * it asks for.
 */
const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;
/**
 * Prometheus waits for ten seconds. A group that needs a database that does not answer is left out.
 */
const groupTimeoutMs = 2_000;

type Options = { port: number; groups: MetricGroup[]; log: Log; timeoutMs?: number };

export type MetricsServer = { url: string; close(): void };

/** Serves the figures of all groups at /metrics, on a port of its own. */
export async function openMetrics({
  port,
  groups,
  log,
  timeoutMs: withinMs = groupTimeoutMs,
}: Options): Promise<MetricsServer> {
  let reading: Promise<string> | undefined;
  /** Those who ask at the same time get the same answer. */
  const readAll = () => {
    reading ??= readGroups(groups, log, withinMs).finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const server = createServer(
    { requestTimeout: 5_000, headersTimeout: 5_000 },
    (request, response) => {
      if (!localHost.test(request.headers.host ?? ""))
        return respond(response, 403, "Ask for localhost.\n");
      if (request.url !== "/metrics" || request.method !== "GET")
        return respond(response, 404, "The figures are at /metrics.\n");
      readAll().then(
        (text) => respond(response, 200, text, metricsType),
        (error) => {
          log.error("metrics.failed", errorFields(error));
          respond(response, 500, "The figures could not be read.\n");
        },
      );
    },
  );
  server.maxConnections = 16;
  server.listen(port, host);
  await once(server, "listening").catch((error: unknown) => {
    throw hasErrorCode(error, "EADDRINUSE")
      ? new SetupError(
          `Port ${port} is in use, so the metrics cannot be served there. Choose another METRICS_PORT.`,
        )
      : error;
  });
  const address = server.address();
  const url = `http://${host}:${typeof address === "object" && address !== null ? address.port : port}/metrics`;
  log.info("metrics.open", { url });
  return {
    url,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function respond(
  response: ServerResponse,
  status: number,
  text: string,
  type = "text/plain; charset=utf-8",
): void {
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(text);
}

/** One group that fails, or takes too long, costs only its own figures. */
async function readGroups(groups: MetricGroup[], log: Log, withinMs: number): Promise<string> {
  const read = await Promise.all(
    groups.map(async ({ name, read }) => {
      try {
        return { name, metrics: await inTime(read, withinMs) };
      } catch (error) {
        log.warn("metrics.group_failed", { group: name, ...errorFields(error) });
        return { name, metrics: null };
      }
    }),
  );
  const up = gauge(
    "harborline_metrics_group_up",
    "0 for a group of figures that could not be read.",
    read.map(({ name, metrics }) => ({ labels: { group: name }, value: metrics ? 1 : 0 })),
  );
  return formatMetrics([...read.flatMap(({ metrics }) => metrics ?? []), up]);
}

async function inTime(read: MetricGroup["read"], withinMs: number): Promise<Metric[]> {
  const late = new AbortController();
  const deadline = pause(withinMs, undefined, { signal: late.signal }).then(() => {
    throw new Error("It took too long.");
  });
  // Nobody waits for whichever is slower.
  deadline.catch(() => {});
  const work = Promise.resolve(read());
  work.catch(() => {});
  try {
    return await Promise.race([work, deadline]);
  } finally {
    late.abort();
  }
}

/** The process and its machine, under the names that other programs use as well. */
export const processMetrics = (dataDir: string): MetricGroup => ({
  name: "process",
  async read() {
    const { rss, heapUsed, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const { bavail, bsize } = await statfs(dataDir);
    return [
      gauge("harborline_info", "Which Harborline this is.", [{ labels: { version }, value: 1 }]),
      gauge(
        "process_start_time_seconds",
        "When the process began, in seconds since 1970.",
        Math.round(Date.now() / 1_000 - process.uptime()),
      ),
      counter(
        "process_cpu_seconds_total",
        "Processor time of all threads.",
        (user + system) / 1_000_000,
      ),
      gauge("process_resident_memory_bytes", "Memory of the process.", rss),
      gauge("nodejs_heap_size_used_bytes", "Objects of JavaScript in the main thread.", heapUsed),
      gauge(
        "nodejs_external_memory_bytes",
        "Memory outside of the heap that objects hold.",
        external,
      ),
      gauge(
        "harborline_data_folder_free_bytes",
        "Space on the disk of the data folder.",
        bavail * bsize,
      ),
    ];
  },
});

/**
 * Asks the database a question of no work: what remains is the way there and the wait behind
 * others.
 */
export const databaseMetrics = (ping: () => Promise<unknown>): MetricGroup => ({
  name: "database",
  async read() {
    const began = performance.now();
    const isUp = await ping().then(
      () => true,
      () => false,
    );
    return [
      gauge("harborline_database_up", "1 when the database answers in time.", isUp ? 1 : 0),
      gauge(
        "harborline_database_ping_seconds",
        "Time that the smallest query took, or until we gave up.",
        (performance.now() - began) / 1_000,
      ),
    ];
  },
});
