import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readHeader } from "../../server/radio/frames.ts";
import { createDataFolder } from "../support/data-folder.ts";
import { listenTo } from "../support/listener.ts";
import { type RunningServer, startServer } from "../support/server.ts";

const streamPath = "/api/stream?port=8076";
const bytesPerSecond = 16_000;

let data: Awaited<ReturnType<typeof createDataFolder>>;
let server: RunningServer;
const readTitle = async () => (await (await fetch(`${server.url}/api/now-playing`)).json()).title;

beforeAll(async () => {
  data = await createDataFolder();
  server = await startServer({ DATA_DIR: data.path, RADIO_MAX_LISTENERS: "2" });
});
afterAll(async () => {
  await server.stop();
  await data.remove();
});

describe("the city's own station", () => {
  it("is available only with its own port number, which the response to any other number explains, and supports HEAD and OPTIONS", async () => {
    for (const query of ["", "?port=80", "?port=8076&port=1", "?port=08076", "?port="]) {
      const response = await fetch(`${server.url}/api/stream${query}`);
      expect([response.status, await response.text()]).toEqual([
        400,
        "The stream is only available at /api/stream?port=8076.\n",
      ]);
    }
    const head = await fetch(server.url + streamPath, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
    const options = await fetch(server.url + streamPath, { method: "OPTIONS" });
    expect([options.status, options.headers.get("access-control-allow-origin")]).toEqual([
      204,
      "*",
    ]);
    expect((await fetch(server.url + streamPath, { method: "POST", body: "x" })).status).toBe(405);
  });

  it("lists what it played in the last hour on its page, without JavaScript and before anyone listens", async () => {
    const { played, now, next } = await (await fetch(`${server.url}/radio.json`)).json();
    expect(played[0].time).toMatch(/^\d{1,2}:\d\d [AP]M$/);
    expect(Date.now() - Date.parse(played[0].startedAt)).toBeLessThan(3_600_000);
    expect([now.day, next.length]).toEqual(["Today", 4]);
    const response = await fetch(`${server.url}/radio`);
    const html = await response.text();
    for (const text of [
      played[0].time,
      played[0].title,
      now.title,
      next[0].hours,
      "Sample schedule",
    ])
      expect(html).toContain(text);
    // The list is at most half a minute old in any cache.
    expect(response.headers.get("cache-control")).toMatch(
      /s-maxage=(?:[12]?\d|30), stale-while-revalidate=0/,
    );
  });

  it("plays the same audio to all listeners, starting with a complete frame, up to its limit, and ends when the server stops", async () => {
    const [firstListener, secondListener] = [
      await listenTo(server.url + streamPath),
      await listenTo(server.url + streamPath),
    ];
    expect(firstListener.headers).toMatchObject({
      "content-type": "audio/mpeg",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "no-store",
    });
    expect(firstListener.headers).not.toHaveProperty("content-encoding");
    expect(await firstListener.waitForBytes(5 * bytesPerSecond)).toBe(true);
    expect(await secondListener.waitForBytes(5 * bytesPerSecond)).toBe(true);
    expect(readHeader(firstListener.received(), 0)).not.toBeNull();
    // A listener who joined a moment later hears the same audio at the same time.
    const sharedAudio = secondListener.received().subarray(0, 2 * bytesPerSecond);
    expect(firstListener.received().includes(sharedAudio)).toBe(true);
    expect(await readTitle()).toMatch(/^Harborline Radio – /);

    const refusedResponse = await fetch(server.url + streamPath);
    expect([refusedResponse.status, refusedResponse.headers.get("retry-after")]).toEqual([
      503,
      "30",
    ]);
    expect(await refusedResponse.text()).toContain("Our radio has no room for more listeners.");
    firstListener.disconnect();
    await expect.poll(async () => (await listenTo(server.url + streamPath)).status).toBe(200);

    const began = performance.now();
    expect(await server.stop()).toBe(0);
    await secondListener.closed;
    // If the server did not disconnect listeners, they would delay the stop until the grace period
    // is over.
    expect(performance.now() - began).toBeLessThan(9_000);
  });
});
