import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { createFrameReader, readHeader } from "../../server/radio/frames.ts";
import { dataFolder } from "../support/data-folder.ts";
import { freePort } from "../support/free-port.ts";
import { startIcecast, startStudio } from "../support/icecast.ts";
import { listenTo } from "../support/listener.ts";
import { startNginx } from "../support/nginx.ts";
import { type RunningServer, startServer } from "../support/server.ts";

const stream = "/api/stream?port=8076";
const sample = "sites/baltimore/radio/03-close-to-the-water.mp3";
const second = 16_000;

let data: Awaited<ReturnType<typeof dataFolder>>;
let server: RunningServer;
const start = async (env: Record<string, string>) => {
  server = await startServer({ DATA_DIR: data.path, ...env });
};
const titleNow = async () => (await (await fetch(`${server.url}/api/now-playing`)).json()).title;

beforeEach(async () => {
  data = await dataFolder();
});
afterEach(async () => {
  await server.stop();
  await data.remove();
});

describe("the city's own station", () => {
  it("plays to everybody the same from a whole frame on, up to its limit, and ends when the server does", async () => {
    await start({ RADIO_MAX_LISTENERS: "2" });
    const [one, other] = [await listenTo(server.url + stream), await listenTo(server.url + stream)];
    expect(one.headers).toMatchObject({
      "content-type": "audio/mpeg",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "no-store",
    });
    expect(one.headers).not.toHaveProperty("content-encoding");
    expect(await one.hears(5 * second)).toBe(true);
    expect(await other.hears(5 * second)).toBe(true);
    expect(readHeader(one.heard(), 0)).not.toBeNull();
    // Who came a moment later is at the same place of the same sound.
    const common = other.heard().subarray(0, 2 * second);
    expect(one.heard().includes(common)).toBe(true);
    expect(await titleNow()).toMatch(/^Harborline Radio – /);

    const third = await fetch(server.url + stream);
    expect([third.status, third.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(await third.text()).toContain("as many are listening".replace("a", "A"));
    one.leave();
    await expect.poll(async () => (await listenTo(server.url + stream)).status).toBe(200);

    const began = performance.now();
    expect(await server.stop()).toBe(0);
    await other.over;
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  it("answers only at its own port, to HEAD too, and says so in a sentence", async () => {
    await start({});
    for (const query of ["", "?port=80", "?port=8076&port=1", "?port=08076", "?port="]) {
      const answer = await fetch(`${server.url}/api/stream${query}`);
      expect([answer.status, await answer.text()]).toEqual([
        400,
        "The stream is at /api/stream?port=8076 and at no other port.\n",
      ]);
    }
    const head = await fetch(server.url + stream, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
    const asked = await fetch(server.url + stream, { method: "OPTIONS" });
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect((await fetch(server.url + stream, { method: "POST", body: "x" })).status).toBe(405);
  });
});

/** A SHOUTcast of the old kind: its own first line, a note in the sound, a password. */
class Shoutcast {
  connections: Socket[] = [];
  private server: Server | null = null;
  private sound: Buffer;
  readonly port: number;

  constructor(port: number, sound: Buffer) {
    this.port = port;
    this.sound = sound;
  }

  async open(): Promise<void> {
    const text = "StreamTitle='The Tugboats - Fog';";
    const note = Buffer.concat([Buffer.from([3]), Buffer.from(text), Buffer.alloc(48 - text.length)]);
    this.server = createServer((socket) => {
      this.connections.push(socket);
      socket.on("error", () => {});
      socket.once("data", (bytes) => {
        const secret = Buffer.from("relay:s/cret").toString("base64");
        if (!bytes.toString().includes(`Authorization: Basic ${secret}`)) {
          socket.end("ICY 401 Service Unavailable\r\n\r\n");
          return;
        }
        socket.write("ICY 200 OK\r\nicy-name:Tug FM\r\ncontent-type:audio/mpeg\r\nicy-metaint:8192\r\n\r\n");
        let at = 0;
        const send = () => {
          const part = this.sound.subarray(at, at + 8_192);
          at = (at + part.length) % (this.sound.length - 8_192);
          socket.write(Buffer.concat([part, note]));
        };
        for (let n = 0; n < 8; n += 1) send();
        const timer = setInterval(send, 500);
        socket.on("close", () => clearInterval(timer));
      });
    }).listen(this.port, "127.0.0.1");
    await once(this.server, "listening");
  }

  async close(): Promise<void> {
    for (const socket of this.connections) socket.destroy();
    this.server?.close();
  }
}

describe("a relayed station", () => {
  it("is asked once however many listen, survives a short loss, and is let go of when nobody is there", async () => {
    const bytes = await readFile(sample);
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const { port } = probe.address() as AddressInfo;
    probe.close();
    const station = new Shoutcast(port, bytes.subarray(500));
    await station.open();
    await start({
      RADIO_UPSTREAM: `http://relay:s%2Fcret@127.0.0.1:${port}/`,
      RADIO_HOLD_SECONDS: "2",
      RADIO_IDLE_SECONDS: "0.3",
    });
    const listeners = await Promise.all(Array.from({ length: 20 }, () => listenTo(server.url + stream)));
    for (const listener of listeners) expect(await listener.hears(3 * second)).toBe(true);
    expect(station.connections).toHaveLength(1);
    expect(await titleNow()).toBe("The Tugboats - Fog");
    const heard = listeners[0]?.heard() ?? Buffer.alloc(0);
    expect(heard.includes("StreamTitle")).toBe(false);
    const whole = createFrameReader()
      .read(heard)
      .reduce((sum, frame) => sum + frame.bytes.length, 0);
    expect(heard.length - whole).toBeLessThan(500);

    // Gone for a second: everybody is still there, and hears more afterwards.
    await station.close();
    await pause(700);
    await station.open();
    for (const listener of listeners)
      expect(await listener.hears(listener.heard().length + 2 * second)).toBe(true);
    expect(server.output()).not.toContain("radio.off_air");

    // Gone for good: listeners are sent away, and newcomers are told.
    await station.close();
    await Promise.all(listeners.map(({ over }) => over));
    const answer = await fetch(server.url + stream);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await fetch(server.url + stream, { method: "HEAD" })).status).toBe(503);

    // Back again.
    await station.open();
    const [late] = await Promise.all([listenTo(server.url + stream)]);
    expect(late.status).toBe(200);
    expect(await late.hears(second)).toBe(true);
    const last = station.connections.at(-1);
    late.leave();
    await expect.poll(() => last?.destroyed).toBe(true);
    expect(server.output()).not.toContain("cret");
    await station.close();
  });

  const programs = inject("icecast");
  it.skipIf(!programs)(
    "is a real Icecast, whose studio and which itself may die and come back [needs icecast2, ffmpeg]",
    async () => {
      if (!programs) return;
      const port = await freePort();
      let icecast = await startIcecast(programs.server, port);
      let studio = await startStudio(programs.ffmpeg, port, sample);
      await start({ RADIO_UPSTREAM: `http://127.0.0.1:${port}/live`, RADIO_HOLD_SECONDS: "5" });
      const listener = await listenTo(server.url + stream);
      expect(await listener.hears(2 * second)).toBe(true);
      expect(readHeader(listener.heard(), 0)).not.toBeNull();

      await studio.kill();
      studio = await startStudio(programs.ffmpeg, port, sample);
      expect(await listener.hears(listener.heard().length + 2 * second)).toBe(true);

      await icecast.kill();
      await studio.kill();
      icecast = await startIcecast(programs.server, port);
      studio = await startStudio(programs.ffmpeg, port, sample);
      expect(await listener.hears(listener.heard().length + 2 * second)).toBe(true);
      await studio.kill("SIGTERM");
      await icecast.kill("SIGTERM");
      await listener.over;
    },
  );
});

const nginx = inject("nginx");
it.skipIf(!nginx)("the stream comes through nginx as it is played [needs nginx]", async () => {
  await start({ TRUST_PROXY: "1" });
  const proxy = await startNginx(nginx ?? "", [server.url, server.url]);
  const begin = await proxy.listen(stream, 4 * second);
  expect(begin.headers).toMatchObject({ "content-type": "audio/mpeg", "cache-control": "no-store" });
  expect(readHeader(begin.body, 0)).not.toBeNull();
  expect(begin.ms).toBeLessThan(2_000);
  await proxy.stop();
});
