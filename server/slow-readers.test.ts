import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { endSlowReaders } from "./slow-readers.ts";

const large = Buffer.alloc(32 * 1024 * 1024);
const server = createServer((_, response) => response.end(large));
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe("a reader who stops reading in the middle of an answer", () => {
  it("is let go, and one who reads on is not", async () => {
    endSlowReaders(server, { checkEveryMs: 50, minBytes: 1, checks: 3 });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const ask = () => connect(port, "127.0.0.1").on("error", () => {});
    const [stuck, reading] = [ask(), ask()];
    const closed: unknown[] = [];
    server.on("connection", (socket) => {
      const port = socket.remotePort;
      socket.on("close", () => closed.push(port));
    });
    for (const socket of [stuck, reading]) socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    stuck.pause();
    let got = 0;
    reading.on("data", (piece) => {
      got += piece.length;
    });
    await Promise.all([once(stuck, "connect"), once(reading, "connect")]);
    await expect.poll(() => closed).toEqual([stuck.localPort]);
    await expect.poll(() => got).toBeGreaterThan(large.length);
    stuck.destroy();
    reading.destroy();
  });
});
