import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { createLog } from "../../app/lib/log.ts";
import { readStatus, sendRaw } from "../../tests/support/raw-http.ts";
import { listen } from "../process/ports.ts";
import { findMaxConnections } from "./connections.ts";
import { createHttpServer } from "./http.ts";

let server: Server | undefined;
const lines: string[] = [];
const start = (options: Partial<Parameters<typeof createHttpServer>[0]> = {}) => {
  server = createHttpServer({
    log: createLog({ write: (line) => lines.push(line) }),
    handleRequest: () => new Response("a page"),
    handleStream: () => false,
    ...options,
  });
  return listen(server, { host: "127.0.0.1", port: 0 });
};
async function openSocket(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  await once(socket, "connect");
  return socket;
}
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

it("a request whose headers never end is disconnected", async () => {
  const url = await start({ headersTimeoutMs: 100 });
  expect(readStatus(await sendRaw(url, "GET /about HTTP/1.1\r\nHost: a\r\nX-Slow: "))).toBe(408);
});

it.each([
  ["one Host header", "HOST: a\r\n", 200],
  ["two Host headers", "Host: a\r\nhOST: b\r\n", 400],
  ["no Host header", "", 400],
])("a request with %s is answered with the right status", async (_name, hosts, status) => {
  const url = await start();
  const request = `GET /about HTTP/1.1\r\n${hosts}Accept: */*\r\nConnection: close\r\n\r\n`;
  expect(readStatus(await sendRaw(url, request))).toBe(status);
});

it("a connection with more than two open requests is closed, and other connections are not", async () => {
  const url = await start();
  const request = "GET /about HTTP/1.1\r\nHost: a\r\n";
  const countResponses = async (requests: string) =>
    (await sendRaw(url, requests)).split("HTTP/1.1 200").length - 1;
  expect(await countResponses(`${request}\r\n${request}Connection: close\r\n\r\n`)).toBe(2);
  expect(await countResponses(`${request}\r\n`.repeat(3))).toBeLessThan(3);
  expect((await fetch(`${url}/about`)).status).toBe(200);
});

it("connections beyond the limit are closed and logged, and the others still get pages", async () => {
  const url = await start({ maxConnections: 2 });
  const open = await Promise.all([openSocket(url), openSocket(url)]);
  const refused = await openSocket(url);
  refused.resume();
  await once(refused, "close");
  expect(lines.join("")).toContain('"event":"connections.refused","count":1');
  open[0]?.write("GET /about HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  expect(readStatus(await text(open[0] ?? refused))).toBe(200);
  open[1]?.destroy();
});

it("connections leave file descriptors for files and the database", () => {
  const limits = (soft: string) => `Max open files            ${soft}                 524288`;
  expect(findMaxConnections({ limits: limits("1024"), openFiles: 200 })).toBe(674);
  expect(findMaxConnections({ limits: limits("400"), openFiles: 200 })).toBe(100);
  expect(findMaxConnections({ limits: "", openFiles: 0 })).toBe(Infinity);
});

it("a page from the cache that is sent a moment later is logged as it was sent", async () => {
  const url = await start({
    servePage(_request, response) {
      setImmediate(() => response.writeHead(304).end());
      return "hit";
    },
  });
  expect((await fetch(`${url}/about`)).status).toBe(304);
  await expect.poll(() => lines.at(-1)).toContain('"path":"/about","status":304,"cache":"hit"');
});
