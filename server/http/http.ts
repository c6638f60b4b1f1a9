import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type Log, toLoggedPath } from "../../app/lib/log.ts";
import type { Activities } from "../process/watchdog.ts";
import {
  identifySender,
  noProxies,
  type Proxies,
  type Sender,
  withPublicOrigin,
} from "../site/proxies.ts";
import {
  admitRequest,
  disconnectSlowReaders,
  disconnectSlowSender,
  findMaxConnections,
  logRefusedConnections,
} from "./connections.ts";
import { requestIdHeader, safetyHeaders, strictTransportHeader } from "./headers.ts";
import { sendTimeouts } from "./limits.ts";
import type { CacheState, RequestTimes } from "./request-times.ts";

/** What is known about a request before any handler gets it. The `id` identifies it in the log. */
export type RequestInfo = Sender & { id: string };

/**
 * Handles requests whose response may never end, such as streams. Returns whether it has handled the
 * request.
 */
export type HandleStream = (
  request: IncomingMessage,
  response: ServerResponse,
  info: RequestInfo,
) => boolean;

type Options = {
  log: Log;
  handleRequest(request: Request, info: RequestInfo): Response | Promise<Response>;
  /** Gets the requests below /api/ before `handleRequest` does. */
  handleStream: HandleStream;
  /**
   * Serves a page or file that is the same for every reader, and returns its cache state. Returns
   * undefined if it does not serve the request.
   */
  servePage?(
    request: IncomingMessage,
    response: ServerResponse,
    info: RequestInfo,
  ): CacheState | undefined;
  proxies?: Proxies;
  /**
   * Tracks requests while they are being handled, except cache hits that are sent at once, and
   * what `handleStream` handles.
   */
  activities?: Activities;
  /** Measures the duration of every request except those that `handleStream` handles. */
  times?: RequestTimes | undefined;
  acceptsFiles?: (path: string) => boolean;
  /** Sees requests before the app does. The development server passes Vite here. */
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  /** How long a client may take to send the headers of a request. */
  headersTimeoutMs?: number;
  /** Connections beyond this number are closed at once. */
  maxConnections?: number;
};

const defaultHeadersTimeoutMs = 10_000;

/**
 * How long stopping the server may take. TimeoutStopSec in deploy/harborline@.service is longer
 * than both times together.
 */
export const stopTimes = {
  /** The time for open requests to finish. */
  requestsMs: 10_000,
  /** The time after that for everything else, such as a database that does not respond. */
  otherMs: 8_000,
};

const closeIdleEveryMs = 50;

/**
 * Creates the HTTP server. It checks raw requests, disconnects slow clients, passes all other
 * requests on and logs them.
 */
export function createHttpServer({
  log,
  handleRequest,
  handleStream,
  servePage,
  proxies = noProxies,
  activities,
  times,
  middleware,
  acceptsFiles = () => true,
  headersTimeoutMs = defaultHeadersTimeoutMs,
  maxConnections = findMaxConnections(),
}: Options): Server {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: headersTimeoutMs,
      // The limit for forms with files; forms without files have less time: see
      // disconnectSlowSender.
      requestTimeout: sendTimeouts.filesMs,
      keepAliveTimeout: 50_000,
      connectionsCheckingInterval: headersTimeoutMs / 2,
    },
    (request, response) => {
      if (!admitRequest(request, response)) return;
      const { method = "", url = "" } = request;
      const startedAt = performance.now();
      const info = { id: nextId(), ...identifySender(request, proxies) };
      /** Logs and measures the request when the response is sent or the reader has disconnected. */
      const record = (details: LogDetails, isTimed = true) =>
        response.once("close", () => {
          const ms = performance.now() - startedAt;
          const fields = toLogFields(request, response, info, details);
          log.info("request", { ...fields, ms: Math.round(ms * 10) / 10 });
          if (isTimed) times?.count(details.cache ?? "none", response.statusCode, ms);
        });
      const refusal = findRefusal(method, url, findHosts(request.rawHeaders));
      if (refusal) {
        record({ refused: refusal.message });
        sendRefusal(response, refusal, info.id);
        return;
      }
      disconnectSlowSender(request, response, () => acceptsFiles(url.split("?", 1)[0] ?? ""));
      if (url.startsWith("/api/") && handleStream(request, response, info)) {
        record({}, false);
        return;
      }
      const isRead = method === "GET" || method === "HEAD";
      const served = isRead ? servePage?.(request, response, info) : undefined;
      // Most hits are sent by now, so they need no listener for the end of the response. The others
      // wait for their page with the banner.
      if (served === "hit" && response.headersSent) {
        log.info("request", toLogFields(request, response, info, { cache: served }));
        times?.count(served, response.statusCode, performance.now() - startedAt);
        return;
      }
      record({ cache: served });
      if (activities) response.once("close", activities.begin(`${method} ${toLoggedPath(url)}`));
      if (served) return;
      response.setHeader(requestIdHeader, info.id);
      if (info.isSecure) response.setHeader(...strictTransportHeader);
      const isProxied = proxies.include(request.socket.remoteAddress ?? "");
      const handle = getRequestListener(
        (parsed) => handleRequest(withPublicOrigin(parsed, isProxied), info),
        { overrideGlobalObjects: false },
      );
      if (middleware) middleware(request, response, () => handle(request, response));
      else handle(request, response);
    },
  );
  server.maxConnections = maxConnections;
  logRefusedConnections(server, log);
  server.on("drop", () => times?.countRefusedConnection());
  disconnectSlowReaders(server);
  return server;
}

type Refusal = { status: 400 | 405 | 414; message: string };

export const maxTargetLength = 4_096;
const allowedMethods = ["GET", "HEAD", "POST", "OPTIONS"];

const malformedUrl: Refusal = { status: 400, message: "This URL is malformed." };
/** Matches most paths: they contain nothing that must be decoded and checked. */
const ordinaryPath = /^(?:\/[\w-][\w.-]*)*\/?$/;
const hostPattern = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

/** Checks the raw request line, and refuses what could confuse the code that handles it later. */
export function findRefusal(
  method: string,
  target: string,
  hosts: readonly string[],
): Refusal | null {
  if (!allowedMethods.includes(method))
    return { status: 405, message: "This site does not support that method." };
  if (target.length > maxTargetLength) return { status: 414, message: "This URL is too long." };
  if (!target.startsWith("/"))
    return { status: 400, message: "This URL is not a path of this site." };
  // With two Host headers, a proxy and this server might each believe a different one.
  const host = hosts[0] ?? "";
  if (hosts.length !== 1 || !hostPattern.test(host) || !URL.canParse(`http://${host}`))
    return { status: 400, message: "The Host header is malformed." };
  if (ordinaryPath.test(target)) return null;
  // Browsers never send a fragment. It is not part of a URL's path, but would be part of a cache key.
  if (target.includes("#")) return malformedUrl;
  const path = decode(target.split("?", 1)[0] ?? "");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern has to find control characters
  if (path === null || /[\u0000-\u001f\u007f\\]|\/\//.test(path)) return malformedUrl;
  // Browsers resolve dot segments before they send a request. Accepting dot segments would give one
  // page many paths.
  if (/\/\.{1,2}(?:\/|$)/.test(path)) return malformedUrl;
  return null;
}

function decode(path: string): string | null {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/**
 * Returns the values of all Host headers. Node's `headersDistinct` would copy every other header
 * too.
 */
function findHosts(rawHeaders: readonly string[]): string[] {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts.push(rawHeaders[index + 1] ?? "");
  }
  return hosts;
}

const processId = randomBytes(4).toString("hex");
let requestCount = 0;

/** The id of a request consists of the id of the process and the number of the request in it. */
function nextId(): string {
  requestCount += 1;
  return `${processId}-${requestCount.toString(36)}`;
}

type LogDetails = { cache?: CacheState | undefined; refused?: string };

/** Leaves out the IP address and the query string, so that the log does not track readers. */
function toLogFields(
  { method, url = "" }: IncomingMessage,
  { statusCode }: ServerResponse,
  { id }: RequestInfo,
  { cache, refused }: LogDetails,
) {
  return {
    id,
    method,
    path: toLoggedPath(url),
    status: statusCode,
    cache: cache === "none" ? undefined : cache,
    refused,
  };
}

function sendRefusal(response: ServerResponse, { status, message }: Refusal, id: string): void {
  response.writeHead(status, {
    ...safetyHeaders,
    [requestIdHeader]: id,
    Allow: allowedMethods.join(", "),
    Connection: "close",
    "Content-Type": "text/plain; charset=utf-8",
  });
  response.end(`${status}: ${message}\n`);
}

/**
 * Accepts no new requests, lets the open ones finish, and closes the connections that are still
 * open after `graceMs`.
 */
export function closeHttpServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const forceTimer = setTimeout(() => server.closeAllConnections(), graceMs);
    // A keep-alive connection becomes idle, and can be closed, once its last response is sent.
    const closeIdleTimer = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs);
    server.close(() => {
      clearTimeout(forceTimer);
      clearInterval(closeIdleTimer);
      resolve();
    });
  });
}
