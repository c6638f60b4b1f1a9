import type { Server } from "node:http";
import { afterEach, expect, it } from "vitest";
import { createLog } from "../../app/lib/log.ts";
import { readStatus, sendRaw } from "../../tests/support/raw-http.ts";
import { createHttpServer, listen } from "./http.ts";

let server: Server;
const start = (options: { headersTimeoutMs?: number } = {}) => {
  server = createHttpServer({
    log: createLog({ write() {} }),
    fetch: () => new Response("a page"),
    handleRadio: () => false,
    ...options,
  });
  return listen(server, "127.0.0.1", 0);
};
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it("a request whose headers never end is disconnected", async () => {
  const url = await start({ headersTimeoutMs: 100 });
  expect(readStatus(await sendRaw(url, "GET /about HTTP/1.1\r\nHost: a\r\nX-Slow: "))).toBe(408);
});

it("a connection with hundreds of open requests is closed, and other connections are not", async () => {
  const url = await start();
  const responses = await sendRaw(url, "GET /about HTTP/1.1\r\nHost: a\r\n\r\n".repeat(300));
  expect(responses.split("HTTP/1.1 200").length).toBeLessThan(20);
  expect((await fetch(`${url}/about`)).status).toBe(200);
});
