import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Log } from "../../app/lib/log.ts";
import { sendTimeouts } from "./limits.ts";

// Which connections the server refuses, and which it closes because they are too slow or carry too
// many requests.

/** File descriptors for files, workers and database tables that are opened later. */
const reservedDescriptors = 150;

/**
 * Returns how many connections the server may accept. Some descriptors remain for files, because
 * the server could otherwise read neither stories nor the database.
 */
export function findMaxConnections({ limits, openFiles } = readDescriptors()): number {
  const max = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  return Math.max(max - openFiles - reservedDescriptors, Math.floor(max / 4));
}

/** What this process may open and has open. Only Linux tells this; elsewhere there is no limit. */
function readDescriptors(): { limits: string; openFiles: number } {
  try {
    return {
      limits: readFileSync("/proc/self/limits", "utf8"),
      openFiles: readdirSync("/proc/self/fd").length,
    };
  } catch {
    return { limits: "", openFiles: 0 };
  }
}

const logRefusedEveryMs = 60_000;

export function logRefusedConnections(server: Server, log: Log): void {
  let refused = 0;
  let timer: NodeJS.Timeout | undefined;
  const report = () => {
    if (refused > 0)
      log.warn("connections.refused", { count: refused, open: server.maxConnections });
    timer = refused > 0 ? setTimeout(report, logRefusedEveryMs).unref() : undefined;
    refused = 0;
  };
  server.on("drop", () => {
    refused += 1;
    if (!timer) report();
  });
}

/**
 * How many requests of one connection may be open. One more closes the connection. Browsers and
 * proxies wait for a response before they reuse a connection, but a program could send a thousand
 * requests in one packet, each of which takes memory and perhaps an open file.
 */
const maxOpenRequestsPerConnection = 2;
const openRequests = new WeakMap<Socket, number>();

/**
 * Counts one more open request of a connection. If there are too many, closes the connection and
 * returns false.
 */
export function admitRequest({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const openCount = (openRequests.get(socket) ?? 0) + 1;
  openRequests.set(socket, openCount);
  if (openCount > maxOpenRequestsPerConnection) {
    socket.destroy();
    return false;
  }
  response.on("close", countClosedRequest);
  return true;
}

function countClosedRequest(this: ServerResponse): void {
  const { socket } = this.req;
  openRequests.set(socket, (openRequests.get(socket) ?? 1) - 1);
}

type SlowReaderLimits = { checkEveryMs: number; maxStuckChecks: number };

const defaultLimits: SlowReaderLimits = { checkEveryMs: 10_000, maxStuckChecks: 5 };

/**
 * Disconnects readers whose connection accepts no data for about 50 seconds, because unsent data
 * stays in memory. One timer checks all open connections; a timeout per connection would have to be
 * reset for every request.
 */
export function disconnectSlowReaders(
  server: Server,
  { checkEveryMs, maxStuckChecks }: SlowReaderLimits = defaultLimits,
): void {
  const readers = new Map<Socket, { bytes: number; stuckChecks: number }>();
  server.on("connection", (socket: Socket) => {
    readers.set(socket, { bytes: 0, stuckChecks: 0 });
    socket.once("close", () => readers.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, reader] of readers) {
      const bytes = socket.bytesWritten - socket.writableLength;
      reader.stuckChecks =
        socket.writableLength > 0 && bytes === reader.bytes ? reader.stuckChecks + 1 : 0;
      reader.bytes = bytes;
      if (reader.stuckChecks >= maxStuckChecks) socket.destroy();
    }
  }, checkEveryMs).unref();
  server.once("close", () => clearInterval(timer));
}

/**
 * Disconnects a client that sends the body of a request too slowly. Node's own limit cannot be
 * different for forms with files.
 */
export function disconnectSlowSender(
  request: IncomingMessage,
  response: ServerResponse,
  acceptsFiles: () => boolean,
  { formMs, filesMs, filesBytesPerSecond }: typeof sendTimeouts = sendTimeouts,
): void {
  const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers;
  if (length === "0" && encoding === undefined) return;
  const startedAt = performance.now();
  let lastBytesRead = request.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    const isFast = bytesRead - lastBytesRead >= (filesBytesPerSecond * formMs) / 1_000;
    const mayContinue = acceptsFiles() && isFast && performance.now() - startedAt < filesMs;
    lastBytesRead = bytesRead;
    if (request.complete) clearInterval(timer);
    else if (!mayContinue) disconnect();
  }, formMs);
  const disconnect = () => {
    clearInterval(timer);
    if (!response.headersSent) response.writeHead(408, { Connection: "close" }).end();
    else request.destroy();
  };
  // A request whose body nobody reads never closes.
  response.once("close", () => clearInterval(timer));
}
