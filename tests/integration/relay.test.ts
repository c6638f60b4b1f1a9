import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, inject, it } from "vitest";
import { createFrameReader, readHeader } from "../../server/radio/frames.ts";
import { freePort } from "../support/free-port.ts";
import { startIcecast, startStudio } from "../support/icecast.ts";
import { listenTo } from "../support/listener.ts";
import { startNginx } from "../support/nginx.ts";
import { serveRelay } from "../support/radio-server.ts";
import { Shoutcast } from "../support/shoutcast.ts";

const stream = "/api/stream?port=8076";
const sample = "sites/baltimore/radio/03-close-to-the-water.mp3";
const second = 16_000;

let server: Awaited<ReturnType<typeof serveRelay>>;
afterEach(() => server.close());

describe("a relayed station", () => {
  it("gets one connection for all listeners, may be lost for a moment, and is disconnected when nobody listens", async () => {
    const bytes = await readFile(sample);
    const port = await freePort();
    const station = new Shoutcast(port, bytes.subarray(500));
    await station.open();
    server = await serveRelay(`http://relay:s%2Fcret@127.0.0.1:${port}/`, {
      holdMs: 2_000,
      idleMs: 300,
      maxPerVisitor: 20,
    });
    const listeners = await Promise.all(
      Array.from({ length: 20 }, () => listenTo(server.url + stream)),
    );
    for (const listener of listeners) expect(await listener.waitForBytes(3 * second)).toBe(true);
    // This IP address has reached its limit; other IP addresses have not.
    const refused = await fetch(server.url + stream);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(await refused.text()).toContain(
      "Too many people are listening from your internet connection.",
    );
    expect((await fetch(server.url + stream, { method: "HEAD" })).status).toBe(429);
    const other = await listenTo(server.url + stream, "127.0.0.2");
    expect(other.status).toBe(200);
    other.disconnect();
    expect(station.connections).toHaveLength(1);
    expect((await (await fetch(`${server.url}/api/now-playing`)).json()).title).toBe(
      "The Tugboats - Fog",
    );
    const received = listeners[0]?.received() ?? Buffer.alloc(0);
    expect(received.includes("StreamTitle")).toBe(false);
    const whole = createFrameReader()
      .read(received)
      .reduce((sum, frame) => sum + frame.bytes.length, 0);
    expect(received.length - whole).toBeLessThan(500);

    // Unavailable for a moment: all listeners stay connected, and hear more afterwards.
    await station.close();
    await pause(200);
    await station.open();
    for (const listener of listeners)
      expect(await listener.waitForBytes(listener.received().length + 2 * second)).toBe(true);
    expect(server.log()).not.toContain("radio.off_air");

    // Unavailable for longer: listeners are disconnected, and new ones get status 503.
    await station.close();
    await Promise.all(listeners.map(({ closed }) => closed));
    const response = await fetch(server.url + stream);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await fetch(server.url + stream, { method: "HEAD" })).status).toBe(503);

    // Available again.
    await station.open();
    let late = await listenTo(server.url + stream);
    await expect
      .poll(
        async () => {
          if (late.status !== 200) late = await listenTo(server.url + stream);
          return late.status;
        },
        { timeout: 15_000 },
      )
      .toBe(200);
    expect(await late.waitForBytes(second)).toBe(true);
    const last = station.connections.at(-1);
    late.disconnect();
    await expect.poll(() => last?.destroyed).toBe(true);
    expect(server.log()).not.toContain("cret");
    await station.close();
  });

  const programs = inject("icecast");
  it.skipIf(!programs)(
    "can be a real Icecast, and survives a restart of its studio and of Icecast itself [needs icecast2, ffmpeg]",
    async () => {
      if (!programs) return;
      const port = await freePort();
      let icecast = await startIcecast(programs.server, port);
      let studio = await startStudio(programs.ffmpeg, port, sample);
      server = await serveRelay(`http://127.0.0.1:${port}/live`, { holdMs: 10_000 });
      const listener = await listenTo(server.url + stream);
      expect(await listener.waitForBytes(2 * second)).toBe(true);
      expect(readHeader(listener.received(), 0)).not.toBeNull();

      await studio.kill();
      studio = await startStudio(programs.ffmpeg, port, sample);
      expect(await listener.waitForBytes(listener.received().length + 2 * second)).toBe(true);

      await icecast.kill();
      await studio.kill();
      icecast = await startIcecast(programs.server, port);
      studio = await startStudio(programs.ffmpeg, port, sample);
      expect(await listener.waitForBytes(listener.received().length + 2 * second)).toBe(true);
      await studio.kill("SIGTERM");
      await icecast.kill("SIGTERM");
    },
  );
});

const nginx = inject("nginx");
it.skipIf(!nginx)("nginx passes the stream on without a delay [needs nginx]", async () => {
  const station = new Shoutcast(await freePort(), (await readFile(sample)).subarray(500));
  await station.open();
  server = await serveRelay(`http://relay:s%2Fcret@127.0.0.1:${station.port}/`);
  const proxy = await startNginx(nginx ?? "", [server.url, server.url]);
  const begin = await proxy.readStream(stream, 5 * second);
  expect(begin.headers).toMatchObject({
    "content-type": "audio/mpeg",
    "cache-control": "no-store",
  });
  expect(readHeader(begin.body, 0)).not.toBeNull();
  // Through a proxy that buffers the stream, it would take half a minute.
  expect(begin.ms).toBeLessThan(6_000);
  await proxy.stop();
  await station.close();
});
