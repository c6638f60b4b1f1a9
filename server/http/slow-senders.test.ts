import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { disconnectSlowSender } from "./slow-senders.ts";

const server = createServer((request, response) => {
  disconnectSlowSender(request, response, () => request.url === "/files", {
    formMs: 200,
    filesMs: 1_400,
    filesBytesPerSecond: 10,
  });
  request.resume().on("end", () => response.end("accepted"));
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

/** Sends a body in pieces and returns the full response. */
async function send(path: string, pieces: number, everyMs: number): Promise<string> {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("The server is not open.");
  const socket = connect(address.port, "127.0.0.1");
  socket.on("error", () => {});
  const response = text(socket).catch(() => "");
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${pieces}\r\n\r\n`,
  );
  for (let sent = 0; sent < pieces && socket.writable; sent += 1) {
    socket.write("x");
    await pause(everyMs);
  }
  return response;
}

describe("a client that sends a form slowly", () => {
  it("is disconnected, but has more time for a form with files as long as the files keep arriving", async () => {
    const responses = await Promise.all([
      send("/text", 5, 5),
      send("/text", 50, 20),
      send("/files", 12, 20),
      send("/files", 2, 600),
      send("/files", 20, 190),
      send("/files", 200, 20),
    ]);
    expect(responses.map((response) => /^HTTP\/1\.1 (\d+)/.exec(response)?.[1])).toEqual([
      "200",
      "408",
      "200",
      "408",
      "408",
      "408",
    ]);
  });
});
