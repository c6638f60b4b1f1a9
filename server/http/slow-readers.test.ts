import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { disconnectSlowReaders } from "./connections.ts";

const chunk = Buffer.alloc(64 * 1024);
const chunkCount = 500;
const server = createServer((_, response) =>
  Readable.from(Array(chunkCount).fill(chunk)).pipe(response),
);
afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

async function sendRequest() {
  const address = server.address();
  const accepted = once(server, "connection");
  const socket = connect(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1");
  socket.on("error", () => {});
  const serverSocket: Socket = (await accepted)[0];
  socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  return { socket, serverSocket };
}

describe("a reader who stops reading in the middle of a response", () => {
  it("is disconnected, but a reader who keeps reading gets the full response", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    disconnectSlowReaders(server, { checkEveryMs: 100, maxStuckChecks: 5 });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const stuck = await sendRequest();
    stuck.socket.pause();
    const reading = await sendRequest();
    let received = 0;
    let checks = 0;
    // The system buffers at most a few megabytes, so the server must have sent some of the data that
    // arrived between five checks.
    reading.socket.on("data", (data) => {
      received += data.length;
      if (received < (checks + 1) * 50 * chunk.length) return;
      checks += 1;
      vi.advanceTimersByTime(100);
    });
    await once(reading.socket, "end");
    expect(received).toBeGreaterThan(chunkCount * chunk.length);
    expect(checks).toBe(10);
    await expect
      .poll(() => {
        vi.advanceTimersByTime(100);
        return stuck.serverSocket.destroyed;
      })
      .toBe(true);
    stuck.socket.destroy();
  });
});
