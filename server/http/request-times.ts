import { counter, createDistribution, histogram, type MetricGroup } from "../../app/lib/metrics.ts";

const states = ["hit", "miss", "none"] as const;

/**
 * How the page cache served a request: with a stored page or file ("hit"), or with one that it had
 * to render ("miss"). All other requests count as "none", and so does a path without a route,
 * because it says nothing about how well the cache works.
 */
export type CacheState = (typeof states)[number];

const statusClasses = ["1xx", "2xx", "3xx", "4xx", "5xx"] as const;
const durationBounds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
];

export type RequestTimes = ReturnType<typeof createRequestTimes>;

/**
 * Measures how long requests take, by cache state: from the end of the request's headers until the
 * response is sent or, for most cache hits, until it is handed to the operating system.
 */
export function createRequestTimes() {
  const create = () => ({
    time: createDistribution(durationBounds),
    counts: new Float64Array(statusClasses.length),
  });
  const byState = { hit: create(), miss: create(), none: create() };
  let refusedConnections = 0;
  const metrics: MetricGroup = {
    name: "requests",
    read: () => [
      counter(
        "harborline_requests_total",
        "Requests, by cache state and status.",
        states.flatMap((cache) =>
          statusClasses.map((status, index) => ({
            labels: { cache, status },
            value: byState[cache].counts[index] ?? 0,
          })),
        ),
      ),
      histogram(
        "harborline_request_duration_seconds",
        "Duration of requests, by cache state.",
        states.flatMap((cache) => byState[cache].time.samples({ cache })),
      ),
      counter(
        "harborline_connections_refused_total",
        "Connections that were closed because too many were open.",
        refusedConnections,
      ),
    ],
  };
  return {
    metrics,
    count(cache: CacheState, status: number, ms: number): void {
      const index = Math.floor(status / 100) - 1;
      const { time, counts } = byState[cache];
      counts[index] = (counts[index] ?? 0) + 1;
      time.observe(ms / 1_000);
    },
    countRefusedConnection(): void {
      refusedConnections += 1;
    },
  };
}
