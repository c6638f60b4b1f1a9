import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, inject, it } from "vitest";
import { createFrameReader, readHeader } from "../../server/radio/frames.ts";
import { findFreePort } from "../support/free-port.ts";
import { startIcecast, startStudio } from "../support/icecast.ts";
import { listenTo } from "../support/listener.ts";
import { startNginx } from "../support/nginx.ts";
import { serveRelay } from "../support/radio-server.ts";
import { Shoutcast } from "../support/shoutcast.ts";

const streamPath = "/api/stream?port=8076";
const sampleFile = "sites/baltimore/radio/03-close-to-the-water.mp3";
const bytesPerSecond = 16_000;

let server: Awaited<ReturnType<typeof serveRelay>>;
afterEach(() => server.close());

describe("a relayed station", () => {
  it("uses one connection for all listeners, may fail for a moment, and is disconnected when nobody listens", async () => {
    const bytes = await readFile(sampleFile);
    const port = await findFreePort();
    const station = new Shoutcast(port, bytes.subarray(500));
    await station.open();
    server = await serveRelay(`http://relay:s%2Fcret@127.0.0.1:${port}/`, {
      holdMs: 2_000,
      idleMs: 300,
      maxPerVisitor: 20,
    });
    const listeners = await Promise.all(
      Array.from({ length: 20 }, () => listenTo(server.url + streamPath)),
    );
    for (const listener of listeners)
      expect(await listener.waitForBytes(3 * bytesPerSecond)).toBe(true);
    // This IP address has reached its limit, and other IP addresses have not.
    const refused = await fetch(server.url + streamPath);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(await refused.text()).toContain(
      "Too many people are listening from your internet connection.",
    );
    expect((await fetch(server.url + streamPath, { method: "HEAD" })).status).toBe(429);
    const otherListener = await listenTo(server.url + streamPath, "127.0.0.2");
    expect(otherListener.status).toBe(200);
    otherListener.disconnect();
    expect(station.connections).toHaveLength(1);
    expect((await (await fetch(`${server.url}/api/now-playing`)).json()).title).toBe(
      "The Tugboats - Fog",
    );
    const received = listeners[0]?.received() ?? Buffer.alloc(0);
    expect(received.includes("StreamTitle")).toBe(false);
    const frameBytes = createFrameReader()
      .read(received)
      .reduce((sum, frame) => sum + frame.bytes.length, 0);
    expect(received.length - frameBytes).toBeLessThan(500);

    // The station is unavailable for a moment: all listeners stay connected, and the audio
    // continues afterwards.
    await station.close();
    await pause(200);
    await station.open();
    for (const listener of listeners)
      expect(await listener.waitForBytes(listener.received().length + 2 * bytesPerSecond)).toBe(
        true,
      );
    expect(server.log()).not.toContain("radio.off_air");
    // The station has sent its title dozens of times, on two connections.
    expect(await server.readPlayed()).toMatchObject([{ title: "The Tugboats - Fog" }]);

    // The station is unavailable for longer: listeners are disconnected, and new listeners get
    // status 503.
    await station.close();
    await Promise.all(listeners.map(({ closed }) => closed));
    const response = await fetch(server.url + streamPath);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await fetch(server.url + streamPath, { method: "HEAD" })).status).toBe(503);

    // The station is available again.
    await station.open();
    let lateListener = await listenTo(server.url + streamPath);
    await expect
      .poll(
        async () => {
          if (lateListener.status !== 200) lateListener = await listenTo(server.url + streamPath);
          return lateListener.status;
        },
        { timeout: 15_000 },
      )
      .toBe(200);
    expect(await lateListener.waitForBytes(bytesPerSecond)).toBe(true);
    const lastConnection = station.connections.at(-1);
    lateListener.disconnect();
    await expect.poll(() => lastConnection?.destroyed).toBe(true);
    expect(server.log()).not.toContain("cret");
    await station.close();
  });

  const programs = inject("icecast");
  it.skipIf(!programs)(
    "can be a real Icecast, and survives a restart of its studio and of Icecast itself [needs icecast2, ffmpeg]",
    async () => {
      if (!programs) return;
      const port = await findFreePort();
      let icecast = await startIcecast(programs.server, port);
      let studio = await startStudio(programs.ffmpeg, port, sampleFile);
      server = await serveRelay(`http://127.0.0.1:${port}/live`, { holdMs: 10_000 });
      const listener = await listenTo(server.url + streamPath);
      expect(await listener.waitForBytes(2 * bytesPerSecond)).toBe(true);
      expect(readHeader(listener.received(), 0)).not.toBeNull();

      await studio.kill();
      studio = await startStudio(programs.ffmpeg, port, sampleFile);
      expect(await listener.waitForBytes(listener.received().length + 2 * bytesPerSecond)).toBe(
        true,
      );

      await icecast.kill();
      await studio.kill();
      icecast = await startIcecast(programs.server, port);
      studio = await startStudio(programs.ffmpeg, port, sampleFile);
      expect(await listener.waitForBytes(listener.received().length + 2 * bytesPerSecond)).toBe(
        true,
      );
      await studio.kill("SIGTERM");
      await icecast.kill("SIGTERM");
    },
  );
});

const nginx = inject("nginx");
it.skipIf(!nginx)("nginx forwards the stream without a delay [needs nginx]", async () => {
  const station = new Shoutcast(await findFreePort(), (await readFile(sampleFile)).subarray(500));
  await station.open();
  server = await serveRelay(`http://relay:s%2Fcret@127.0.0.1:${station.port}/`);
  const proxy = await startNginx(nginx ?? "", [server.url, server.url]);
  const streamStart = await proxy.readStream(streamPath, 5 * bytesPerSecond);
  expect(streamStart.headers).toMatchObject({
    "content-type": "audio/mpeg",
    "cache-control": "no-store",
  });
  expect(readHeader(streamStart.body, 0)).not.toBeNull();
  // With a proxy that buffers the stream, this would take half a minute.
  expect(streamStart.ms).toBeLessThan(6_000);
  await proxy.stop();
  await station.close();
});
