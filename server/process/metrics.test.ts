import { once } from "node:events";
import { get } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLog } from "../../app/lib/log.ts";
import { gauge } from "../../app/lib/metrics.ts";
import { openMetrics } from "./metrics.ts";

const lines: string[] = [];
const log = createLog({ write: (line) => lines.push(line) });
let readCount = 0;
let metricsServer: Awaited<ReturnType<typeof openMetrics>>;
let port: number;

beforeAll(async () => {
  metricsServer = await openMetrics({
    port: 0,
    log,
    timeoutMs: 1_000,
    groups: [
      {
        name: "good",
        async read() {
          readCount += 1;
          return [gauge("good", "Good.", 1)];
        },
      },
      {
        name: "failing",
        read() {
          throw new Error("no database");
        },
      },
      { name: "hanging", read: () => new Promise(() => {}) },
    ],
  });
  port = Number(new URL(metricsServer.url).port);
});
afterAll(() => metricsServer.close());

async function request(path: string, host = "localhost") {
  const [response] = await once(
    get({ port, path, host: "127.0.0.1", headers: { host } }),
    "response",
  );
  return { status: response.statusCode, body: await text(response) };
}

describe("the metrics server", () => {
  it("serves the other groups if one fails or hangs, and reads once for simultaneous requests", async () => {
    const responses = await Promise.all([
      request("/metrics"),
      request("/metrics", "127.0.0.1:9464"),
    ]);
    for (const { status, body } of responses) {
      expect(status).toBe(200);
      expect(body).toContain("\ngood 1\n");
      expect(body.match(/harborline_metrics_group_up\{.*/g)).toEqual([
        'harborline_metrics_group_up{group="good"} 1',
        'harborline_metrics_group_up{group="failing"} 0',
        'harborline_metrics_group_up{group="hanging"} 0',
      ]);
    }
    expect(readCount).toBe(1);
    expect(lines.join("")).toContain("no database");
  });

  it("serves no other path, and refuses other host names, so that web pages cannot read it", async () => {
    // The name of 127.0.0.1.
    expect(new URL(metricsServer.url).hostname).toBe("localhost");
    expect((await request("/")).status).toBe(404);
    expect((await request("/metrics", "rebound.example")).status).toBe(403);
  });

  it("reports clearly that its port is in use", async () => {
    await expect(openMetrics({ port, log, groups: [] })).rejects.toThrow(
      `Port ${port} is already in use. Set METRICS_PORT to another port.`,
    );
  });
});
