import { once } from "node:events";
import { get } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLog } from "../../app/lib/log.ts";
import { gauge } from "../../app/lib/metrics.ts";
import { type MetricsServer, openMetrics } from "./metrics.ts";

const lines: string[] = [];
const log = createLog({ write: (line) => lines.push(line) });
let reads = 0;
let opened: MetricsServer;
let port: number;

beforeAll(async () => {
  opened = await openMetrics({
    port: 0,
    log,
    timeoutMs: 1_000,
    groups: [
      {
        name: "good",
        async read() {
          reads += 1;
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
  port = Number(new URL(opened.url).port);
});
afterAll(() => opened.close());

async function ask(path: string, host = "localhost") {
  const [answer] = await once(
    get({ port, path, host: "127.0.0.1", headers: { host } }),
    "response",
  );
  return { status: answer.statusCode, body: await text(answer) };
}

describe("the port of the metrics", () => {
  it("gives what can be read when a group fails or hangs, once for all who ask together", async () => {
    const answers = await Promise.all([ask("/metrics"), ask("/metrics", "127.0.0.1:9464")]);
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toContain("\ngood 1\n");
      expect(body.match(/harborline_metrics_group_up\{.*/g)).toEqual([
        'harborline_metrics_group_up{group="good"} 1',
        'harborline_metrics_group_up{group="failing"} 0',
        'harborline_metrics_group_up{group="hanging"} 0',
      ]);
    }
    expect(reads).toBe(1);
    expect(lines.join("")).toContain("no database");
  });

  it("answers nothing else, and no page that has another name for this machine", async () => {
    expect(new URL(opened.url).hostname).toBe("127.0.0.1");
    expect((await ask("/")).status).toBe(404);
    expect((await ask("/metrics", "rebound.example")).status).toBe(403);
  });

  it("says in a sentence that it is in use", async () => {
    await expect(openMetrics({ port, log, groups: [] })).rejects.toThrow(
      `Port ${port} is in use, so the metrics cannot be served there. Choose another METRICS_PORT.`,
    );
  });
});
