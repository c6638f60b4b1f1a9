import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { disconnectSlowReaders } from "./slow-readers.ts";

const chunk = Buffer.alloc(64 * 1024);
const server = createServer((_, response) => Readable.from(Array(500).fill(chunk)).pipe(response));
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function sendRequest() {
  const address = server.address();
  const accepted = once(server, "connection");
  const socket = connect(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1");
  socket.on("error", () => {});
  const [serverSocket] = await accepted;
  socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  return { socket, disconnected: once(serverSocket, "close") };
}

describe("a reader who stops reading in the middle of a response", () => {
  it("is disconnected, but a reader who keeps reading gets the full response", async () => {
    disconnectSlowReaders(server, { checkEveryMs: 100, maxStuckChecks: 5 });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const stuck = await sendRequest();
    stuck.socket.pause();
    const reading = await sendRequest();
    let received = 0;
    reading.socket.on("data", (data) => {
      received += data.length;
    });
    await once(reading.socket, "end");
    expect(received).toBeGreaterThan(500 * chunk.length);
    await stuck.disconnected;
    stuck.socket.destroy();
  });
});
