import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Log } from "../../app/lib/log.ts";
import type { Activities } from "../process/activities.ts";
import { SetupError } from "../process/setup-error.ts";
import { allowedMethods, findRefusal, type Refusal } from "./guard.ts";
import { requestIdHeader } from "./headers.ts";
import type { CacheState, RequestTimes } from "./request-times.ts";
import { safetyHeaders } from "./security-headers.ts";
import { disconnectSlowReaders } from "./slow-readers.ts";
import { defaultSendTimeouts, disconnectSlowSender } from "./slow-senders.ts";

type Options = {
  log: Log;
  fetch(request: Request, id: string, address?: string): Response | Promise<Response>;
  /** Answers what has no end; true when it has taken the request. */
  radio(request: IncomingMessage, response: ServerResponse, id: string): boolean;
  /** Asked first: answers what is the same for every reader. */
  pages?(request: IncomingMessage, response: ServerResponse, id: string): "hit" | "miss" | null;
  /**
   * Where requests are noted while they are answered, except those that take no time and those that
   * never end.
   */
  activities?: Activities;
  /** Where the time of every request is counted, except that of streams, which never end. */
  times?: RequestTimes | undefined;
  /** Whether the form of a page may bring files. */
  acceptsFiles?: (path: string) => boolean;
  /** Asked before us: Vite, while one works on the sources. */
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
};

/**
 * How long a stop may take. TimeoutStopSec in deploy/harborline@.service is longer than both
 * together.
 */
export const stopTimes = {
  /** For open requests to finish. */
  requestsMs: 10_000,
  /** After that, for everything else, such as a database that does not answer. */
  restMs: 8_000,
};

const closeIdleEveryMs = 50;
/**
 * Browsers and proxies wait for an answer before they use a connection again; a program could send
 * a thousand requests in one packet.
 */
const maxOpenPerConnection = 16;
const maxLoggedPath = 200;

/**
 * The listening side: raw requests are checked, slow ones are cut off, the rest are answered and
 * noted.
 */
export function createHttpServer({
  log,
  fetch,
  radio,
  pages,
  activities,
  times,
  middleware: first,
  acceptsFiles: takesFiles = () => true,
}: Options): Server {
  const answer = getRequestListener(
    // The name in the log travels with the response, the one thing both sides have.
    (request, { incoming, outgoing }) =>
      fetch(request, String(outgoing.getHeader(requestIdHeader)), incoming.socket.remoteAddress),
    { overrideGlobalObjects: false },
  );
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      // For pictures; forms of words have less: see endSlowSender.
      requestTimeout: defaultSendTimeouts.filesMs,
      keepAliveTimeout: 50_000,
      connectionsCheckingInterval: 5_000,
    },
    (request, response) => {
      if (!admitRequest(request, response)) return;
      const { method = "", url = "", headers } = request;
      const began = times ? performance.now() : 0;
      const id = nextId();
      const refusal = findRefusal(method, url, headers.host ?? "");
      if (refusal) {
        recordTime(times, response, "none", began);
        logRequest(log, request, response, { id, refused: refusal.message });
        sendRefusal(response, refusal, id);
        return;
      }
      disconnectSlowSender(request, response, () => takesFiles(url.split("?", 1)[0] ?? ""));
      if (radio(request, response, id)) {
        logRequest(log, request, response, { id });
        return;
      }
      const cache = pages?.(request, response, id) ?? null;
      if (cache === "hit") {
        log.info("request", requestFields(request, response, { id, cache }));
        times?.count("hit", response.statusCode, performance.now() - began);
        return;
      }
      logRequest(log, request, response, cache === null ? { id } : { id, cache });
      recordTime(times, response, cache ?? "none", began);
      if (activities) response.once("close", activities.begin(`${method} ${loggedPath(url)}`));
      if (cache === "miss") return;
      response.setHeader(requestIdHeader, id);
      if (first) first(request, response, () => answer(request, response));
      else answer(request, response);
    },
  );
  disconnectSlowReaders(server);
  return server;
}

function recordTime(
  times: RequestTimes | undefined,
  response: ServerResponse,
  cache: CacheState,
  began: number,
): void {
  if (times)
    response.once("close", () =>
      times.count(cache, response.statusCode, performance.now() - began),
    );
}

const openRequests = new WeakMap<Socket, number>();

/**
 * Counts one more open request of a connection. Closes a connection that has too many, and then
 * returns false.
 */
function admitRequest({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const open = (openRequests.get(socket) ?? 0) + 1;
  openRequests.set(socket, open);
  if (open > maxOpenPerConnection) {
    socket.destroy();
    return false;
  }
  response.once("close", () => openRequests.set(socket, (openRequests.get(socket) ?? 1) - 1));
  return true;
}

const thisProcess = randomBytes(4).toString("hex");
let requests = 0;

/** A name for a request: which process, and which of its requests. */
function nextId(): string {
  requests += 1;
  return `${thisProcess}-${requests.toString(36)}`;
}

type LogDetails = { id: string; cache?: "hit" | "miss"; refused?: string };

/** One line a request, when it is answered, or when the reader has left. */
function logRequest(
  log: Log,
  request: IncomingMessage,
  response: ServerResponse,
  note: LogDetails,
): void {
  const began = performance.now();
  response.once("close", () => {
    const ms = Math.round((performance.now() - began) * 10) / 10;
    log.info("request", { ...requestFields(request, response, note), ms });
  });
}

/** No address of the reader, no query string: what was asked is nobody's trail. */
function requestFields(
  { method, url = "" }: IncomingMessage,
  { statusCode }: ServerResponse,
  note: LogDetails,
) {
  return {
    id: note.id,
    method,
    path: loggedPath(url),
    status: statusCode,
    cache: note.cache,
    refused: note.refused,
  };
}

function loggedPath(url: string): string {
  const query = url.indexOf("?");
  return (query === -1 ? url : url.slice(0, query)).slice(0, maxLoggedPath);
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

/** Opens the port, any free one for 0; gives the address to type into a browser. */
export function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const fault = listenErrorMessage(error.code, host, port);
      reject(fault === undefined ? error : new SetupError(fault));
    });
    // Room for a whole audience that comes at the same moment.
    server.listen({ port, host, backlog: 4_096 }, () => {
      const address = server.address();
      const name = host === "127.0.0.1" ? "localhost" : host.includes(":") ? `[${host}]` : host;
      resolve(
        `http://${name}:${typeof address === "object" && address !== null ? address.port : port}`,
      );
    });
  });
}

function listenErrorMessage(
  code: string | undefined,
  host: string,
  port: number,
): string | undefined {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} is in use. Choose another: PORT=${port + 1} npm start`;
    case "EACCES":
      return `This user may not open port ${port}. Choose one from 1024 on: PORT=3000 npm start`;
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
    case "EINVAL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `HOST is "${host}", which is not an address of this machine. Set it to 127.0.0.1 behind a proxy, or to 0.0.0.0 for all addresses.`;
    default:
      return undefined;
  }
}

/**
 * Takes no new requests, lets the open ones finish, and ends what is still there after the grace
 * time.
 */
export function closeHttpServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    // A connection kept alive is idle, and can go, as soon as its last answer is out.
    const tidy = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs);
    server.close(() => {
      clearTimeout(force);
      clearInterval(tidy);
      resolve();
    });
  });
}
