import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readHeader } from "../../server/radio/frames.ts";
import { dataFolder } from "../support/data-folder.ts";
import { listenTo } from "../support/listener.ts";
import { type RunningServer, startServer } from "../support/server.ts";

const stream = "/api/stream?port=8076";
const second = 16_000;

let data: Awaited<ReturnType<typeof dataFolder>>;
let server: RunningServer;
const readTitle = async () => (await (await fetch(`${server.url}/api/now-playing`)).json()).title;

beforeAll(async () => {
  data = await dataFolder();
  server = await startServer({ DATA_DIR: data.path, RADIO_MAX_LISTENERS: "2" });
});
afterAll(async () => {
  await server.stop();
  await data.remove();
});

describe("the city's own station", () => {
  it("is available only at its own port, also for HEAD requests, and explains that", async () => {
    for (const query of ["", "?port=80", "?port=8076&port=1", "?port=08076", "?port="]) {
      const response = await fetch(`${server.url}/api/stream${query}`);
      expect([response.status, await response.text()]).toEqual([
        400,
        "The stream is only available at /api/stream?port=8076.\n",
      ]);
    }
    const head = await fetch(server.url + stream, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
    const options = await fetch(server.url + stream, { method: "OPTIONS" });
    expect([options.status, options.headers.get("access-control-allow-origin")]).toEqual([
      204,
      "*",
    ]);
    expect((await fetch(server.url + stream, { method: "POST", body: "x" })).status).toBe(405);
  });

  it("plays the same audio to all listeners, starting with a whole frame, up to its limit, and ends when the server stops", async () => {
    const [one, other] = [await listenTo(server.url + stream), await listenTo(server.url + stream)];
    expect(one.headers).toMatchObject({
      "content-type": "audio/mpeg",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "no-store",
    });
    expect(one.headers).not.toHaveProperty("content-encoding");
    expect(await one.waitForBytes(5 * second)).toBe(true);
    expect(await other.waitForBytes(5 * second)).toBe(true);
    expect(readHeader(one.received(), 0)).not.toBeNull();
    // A listener who joined a moment later hears the same audio at the same time.
    const common = other.received().subarray(0, 2 * second);
    expect(one.received().includes(common)).toBe(true);
    expect(await readTitle()).toMatch(/^Harborline Radio – /);

    const third = await fetch(server.url + stream);
    expect([third.status, third.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(await third.text()).toContain("Our radio has no room for more listeners.");
    one.disconnect();
    await expect.poll(async () => (await listenTo(server.url + stream)).status).toBe(200);

    const began = performance.now();
    expect(await server.stop()).toBe(0);
    await other.closed;
    // If the server did not disconnect listeners, they would delay the stop until the grace period
    // is over.
    expect(performance.now() - began).toBeLessThan(9_000);
  });
});
