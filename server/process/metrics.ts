import { createServer, type ServerResponse } from "node:http";
import { createInFlight } from "../../app/lib/http/in-flight.server.ts";
import { errorFields, type Log } from "../../app/lib/log.ts";
import {
  counter,
  formatMetrics,
  gauge,
  type MetricGroup,
  metricsType,
} from "../../app/lib/metrics.ts";
import { withTimeout } from "../../app/lib/with-timeout.ts";
import { freeBytes } from "../../db/pglite/disk-space.ts";
import { listen } from "./ports.ts";

/** Only programs on this machine can connect, because the metrics are not for readers. */
export const metricsHost = "127.0.0.1";
/**
 * The accepted Host headers. A web page could point its own host name at this machine (DNS
 * rebinding), but its requests would carry that name.
 */
const localHostHeader = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;
/** Prometheus waits for ten seconds. A group that takes longer than this timeout is left out. */
const groupTimeoutMs = 2_000;

type Options = { port: number; groups: MetricGroup[]; log: Log; timeoutMs?: number };

export async function openMetrics({ port, groups, log, timeoutMs = groupTimeoutMs }: Options) {
  const readings = createInFlight<string>();
  const server = createServer(
    { requestTimeout: 5_000, headersTimeout: 5_000 },
    (request, response) => {
      if (!localHostHeader.test(request.headers.host ?? ""))
        return respond(response, 403, "Use the host name localhost.\n");
      if (request.url !== "/metrics" || request.method !== "GET")
        return respond(response, 404, "The metrics are at /metrics.\n");
      readings
        .share("all", () => readGroups(groups, log, timeoutMs))
        .then(
          (text) => respond(response, 200, text, metricsType),
          (error) => {
            log.error("metrics.failed", errorFields(error));
            respond(response, 500, "The metrics could not be read.\n");
          },
        );
    },
  );
  server.maxConnections = 16;
  const url = `${await listen(server, { host: metricsHost, port }, "METRICS_PORT")}/metrics`;
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

/** Reads all groups. If a group fails or takes too long, only its own metrics are missing. */
async function readGroups(groups: MetricGroup[], log: Log, timeoutMs: number): Promise<string> {
  const results = await Promise.all(
    groups.map(async ({ name, read }) => {
      try {
        const reading = Promise.resolve(read());
        const message = "Reading the metrics took too long.";
        return { name, metrics: await withTimeout(reading, timeoutMs, message) };
      } catch (error) {
        log.warn("metrics.group_failed", { group: name, ...errorFields(error) });
        return { name, metrics: null };
      }
    }),
  );
  const up = gauge(
    "harborline_metrics_group_up",
    "1 for a group of metrics that was read, 0 for one that could not be read.",
    results.map(({ name, metrics }) => ({ labels: { group: name }, value: metrics ? 1 : 0 })),
  );
  return formatMetrics([...results.flatMap(({ metrics }) => metrics ?? []), up]);
}

/** Metrics of the process and its machine. */
export const processMetrics = (dataDir: string): MetricGroup => ({
  name: "process",
  async read() {
    const { rss } = process.memoryUsage();
    return [
      gauge("process_resident_memory_bytes", "Memory of the process.", rss),
      gauge(
        "harborline_data_folder_free_bytes",
        "Free space on the disk that holds the data folder.",
        await freeBytes(dataDir),
      ),
    ];
  },
});

/**
 * Measures a trivial query, which spends almost all of its time on the connection and on waiting
 * for other queries.
 */
export const databaseMetrics = (
  ping: () => Promise<unknown>,
  countStatements: () => number,
): MetricGroup => ({
  name: "database",
  async read() {
    const startedAt = performance.now();
    const isUp = await ping().then(
      () => true,
      () => false,
    );
    return [
      gauge("harborline_database_up", "1 if the database responds in time.", isUp ? 1 : 0),
      gauge(
        "harborline_database_ping_seconds",
        "How long a trivial query took, or its timeout if the database did not respond.",
        (performance.now() - startedAt) / 1_000,
      ),
      counter(
        "harborline_database_statements_total",
        "SQL statements that were sent, without those of the job queue.",
        countStatements(),
      ),
    ];
  },
});
