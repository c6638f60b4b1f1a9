import { readFile } from "node:fs/promises";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { createFrameParser, readHeader } from "../../server/radio/frames.ts";
import { createStation } from "../../server/radio/station.ts";
import type { RadioSettings } from "../../server/site/config.ts";
import { findFreePort } from "../support/free-port.ts";
import { startIcecast, startStudio } from "../support/icecast.ts";
import { listenTo } from "../support/listener.ts";
import { startNginx } from "../support/nginx.ts";
import { serveRelay, serveStation } from "../support/radio-server.ts";
import { Shoutcast } from "../support/shoutcast.ts";

const streamPath = "/api/stream?port=8076";
const audioFolder = "sites/baltimore/radio";
const sampleFile = `${audioFolder}/03-close-to-the-water.mp3`;
const bytesPerSecond = 16_000;

/** Everything that a test opens is closed when the test ends, even if it fails. */
async function closeAfterTest<T extends { close(): unknown }>(opening: Promise<T>): Promise<T> {
  const opened = await opening;
  onTestFinished(async () => {
    await opened.close();
  });
  return opened;
}

const openStation = () =>
  closeAfterTest(
    serveStation((log) => createStation({ folder: audioFolder, log }), { maxListeners: 2 }),
  );

async function openRelay(settings: Partial<RadioSettings> = {}) {
  const station = new Shoutcast((await readFile(sampleFile)).subarray(500));
  onTestFinished(() => station.close());
  const server = await closeAfterTest(serveRelay(await station.open(), settings));
  return { station, server };
}

const readTitle = async (url: string) =>
  (await (await fetch(`${url}/api/now-playing`)).json()).title;

/** Joins as soon as the station is on the air. */
async function joinWhenOnAir(url: string) {
  let listener = await listenTo(url + streamPath);
  await expect
    .poll(async () => {
      if (listener.status !== 200) listener = await listenTo(url + streamPath);
      return listener.status;
    })
    .toBe(200);
  return listener;
}

describe("the city's own station", () => {
  it("is available only with its own port number, which the response to any other number explains, and supports HEAD and OPTIONS", async () => {
    const { url } = await openStation();
    for (const query of ["", "?port=80", "?port=8076&port=1", "?port=08076", "?port="]) {
      const response = await fetch(`${url}/api/stream${query}`);
      expect([response.status, await response.text()]).toEqual([
        400,
        "The stream is only available at /api/stream?port=8076.\n",
      ]);
    }
    const head = await fetch(url + streamPath, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
    const options = await fetch(url + streamPath, { method: "OPTIONS" });
    expect([options.status, options.headers.get("access-control-allow-origin")]).toEqual([
      204,
      "*",
    ]);
    expect((await fetch(url + streamPath, { method: "POST", body: "x" })).status).toBe(405);
  });

  it("plays the same audio to all listeners, starting with a complete frame, up to its limit", async () => {
    const { url } = await openStation();
    const firstListener = await listenTo(url + streamPath);
    const secondListener = await listenTo(url + streamPath);
    expect(firstListener.headers).toMatchObject({
      "content-type": "audio/mpeg",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "no-store",
    });
    expect(firstListener.headers).not.toHaveProperty("content-encoding");
    // A new listener gets four seconds at once.
    for (const listener of [firstListener, secondListener])
      expect(await listener.waitForBytes(3 * bytesPerSecond)).toBe(true);
    expect(readHeader(firstListener.received(), 0)).not.toBeNull();
    // A listener who joined a moment later hears the same audio at the same time.
    const sharedAudio = secondListener.received().subarray(0, 2 * bytesPerSecond);
    await expect.poll(() => firstListener.received().includes(sharedAudio)).toBe(true);
    expect(await readTitle(url)).toMatch(/^Harborline Radio – /);

    const refusedResponse = await fetch(url + streamPath);
    expect([refusedResponse.status, refusedResponse.headers.get("retry-after")]).toEqual([
      503,
      "30",
    ]);
    expect(await refusedResponse.text()).toContain("Our radio has no room for more listeners.");
    firstListener.disconnect();
    await joinWhenOnAir(url);
  });
});

describe("a relayed station", () => {
  it("uses one connection for all listeners, and may fail for a moment", async () => {
    const { station, server } = await openRelay({ maxPerVisitor: 20 });
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
    const otherListener = await listenTo(server.url + streamPath, "127.0.0.2");
    expect(otherListener.status).toBe(200);
    otherListener.disconnect();
    expect(station.connections).toHaveLength(1);
    expect(await readTitle(server.url)).toBe("The Tugboats - Fog");
    const received = listeners[0]?.received() ?? Buffer.alloc(0);
    expect(received.includes("StreamTitle")).toBe(false);
    const frameBytes = createFrameParser()
      .read(received)
      .reduce((sum, frame) => sum + frame.bytes.length, 0);
    expect(received.length - frameBytes).toBeLessThan(500);

    // All listeners stay connected, and the audio continues afterwards.
    station.goOffAir();
    await expect.poll(server.log).toContain("radio.upstream_lost");
    const byteCounts = listeners.map((listener) => listener.received().length);
    station.goOnAir();
    for (const [index, listener] of listeners.entries())
      expect(await listener.waitForBytes((byteCounts[index] ?? 0) + 2 * bytesPerSecond)).toBe(true);
    expect(server.log()).not.toContain("radio.off_air");
    expect(server.log()).not.toContain("cret");
    // The station has sent its title many times, on two connections.
    expect(await server.readPlayed()).toMatchObject([{ title: "The Tugboats - Fog" }]);
  });

  it("that is unavailable for longer loses its listeners, and tells new ones so until it is back", async () => {
    const { station, server } = await openRelay({ holdMs: 200 });
    const listener = await joinWhenOnAir(server.url);
    station.goOffAir();
    await listener.closed;
    const response = await fetch(server.url + streamPath);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await fetch(server.url + streamPath, { method: "HEAD" })).status).toBe(503);
    expect(server.log()).toContain("radio.off_air");

    station.goOnAir();
    const lateListener = await joinWhenOnAir(server.url);
    expect(await lateListener.waitForBytes(bytesPerSecond)).toBe(true);
  });

  it("is disconnected when nobody listens", async () => {
    const { station, server } = await openRelay({ idleMs: 1 });
    const listener = await joinWhenOnAir(server.url);
    const [connection] = station.connections;
    expect(connection?.destroyed).toBe(false);
    listener.disconnect();
    await expect.poll(() => connection?.destroyed).toBe(true);
  });

  const programs = inject("icecast");
  it.skipIf(!programs)(
    "can be a real Icecast, and survives a restart of its studio and of Icecast itself [needs icecast2, ffmpeg]",
    async () => {
      if (!programs) return;
      const port = await findFreePort();
      const openIcecast = async () => {
        const icecast = await startIcecast(programs.server, port);
        onTestFinished(() => icecast.kill());
        return icecast;
      };
      const openStudio = async () => {
        const studio = await startStudio(programs.ffmpeg, port, sampleFile);
        onTestFinished(() => studio.kill());
        return studio;
      };
      const icecast = await openIcecast();
      let studio = await openStudio();
      const { url } = await closeAfterTest(serveRelay(`http://127.0.0.1:${port}/live`));
      const listener = await joinWhenOnAir(url);
      expect(await listener.waitForBytes(1_000)).toBe(true);
      expect(readHeader(listener.received(), 0)).not.toBeNull();
      const waitForMore = () => listener.waitForBytes(listener.received().length + 1_000);

      await studio.kill();
      studio = await openStudio();
      expect(await waitForMore()).toBe(true);

      await icecast.kill();
      await studio.kill();
      await openIcecast();
      await openStudio();
      expect(await waitForMore()).toBe(true);
    },
  );
});

const nginx = inject("nginx");
it.skipIf(!nginx)(
  "nginx forwards the stream without holding back a part [needs nginx]",
  async () => {
    const { station, server } = await openRelay();
    const proxy = await startNginx(nginx ?? "", [server.url, server.url]);
    onTestFinished(() => proxy.stop());
    // The station sends four seconds of audio and then nothing, so a proxy that buffers the stream
    // would hold back the end of it.
    const frames = createFrameParser().read(station.firstAudio);
    const audio = Buffer.concat(frames.map(({ bytes }) => bytes));
    const { headers, body } = await proxy.readStream(streamPath, audio.length);
    expect(headers).toMatchObject({ "content-type": "audio/mpeg", "cache-control": "no-store" });
    expect(body.equals(audio)).toBe(true);
  },
);
