import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { disconnectSlowReaders } from "./slow-readers.ts";

const piece = Buffer.alloc(64 * 1024);
const server = createServer((_, response) => Readable.from(Array(500).fill(piece)).pipe(response));
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function ask() {
  const address = server.address();
  const accepted = once(server, "connection");
  const socket = connect(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1");
  socket.on("error", () => {});
  const [heldByServer] = await accepted;
  socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  return { socket, letGo: once(heldByServer, "close") };
}

describe("a reader who stops reading in the middle of an answer", () => {
  it("is let go, and one who reads on gets it all", async () => {
    disconnectSlowReaders(server, { checkEveryMs: 100, checks: 5 });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const stuck = await ask();
    stuck.socket.pause();
    const reading = await ask();
    let got = 0;
    reading.socket.on("data", (data) => {
      got += data.length;
    });
    await once(reading.socket, "end");
    expect(got).toBeGreaterThan(500 * piece.length);
    await stuck.letGo;
    stuck.socket.destroy();
  });
});
