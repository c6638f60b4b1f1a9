import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Log } from "../app/lib/log.ts";
import { SetupError } from "./config.ts";
import { allowedMethods, type Refusal, refuse } from "./guard.ts";
import { safetyHeaders } from "./security-headers.ts";

type Options = {
  log: Log;
  fetch(request: Request): Response | Promise<Response>;
  /** Asked before us: Vite, while one works on the sources. */
  first?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
};

const tidyEveryMs = 50;

/** The listening side: raw requests are checked, slow ones are cut off, the rest become Request and Response. */
export function createHttpServer({ log, fetch, first }: Options): Server {
  const answer = getRequestListener(fetch, { overrideGlobalObjects: false });
  return createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
    },
    (request, response) => {
      const { method = "", url = "", headers } = request;
      const refusal = refuse(method, url, headers.host ?? "");
      if (refusal) {
        log.info("request.refused", { method, ...refusal });
        answerRefusal(response, refusal);
        return;
      }
      if (!first) return answer(request, response);
      first(request, response, () => answer(request, response));
    },
  );
}

function answerRefusal(response: ServerResponse, { status, message }: Refusal): void {
  response.writeHead(status, {
    ...safetyHeaders,
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
      const busy = error.code === "EADDRINUSE";
      reject(
        busy ? new SetupError(`Port ${port} is in use. Choose another: PORT=${port + 1} npm start`) : error,
      );
    });
    server.listen(port, host, () => {
      const address = server.address();
      const name = host === "127.0.0.1" ? "localhost" : host.includes(":") ? `[${host}]` : host;
      resolve(`http://${name}:${typeof address === "object" && address !== null ? address.port : port}`);
    });
  });
}

/** Takes no new requests, lets the open ones finish, and ends what is still there after the grace time. */
export function closeHttpServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    // A connection kept alive is idle, and can go, as soon as its last answer is out.
    const tidy = setInterval(() => server.closeIdleConnections(), tidyEveryMs);
    server.close(() => {
      clearTimeout(force);
      clearInterval(tidy);
      resolve();
    });
  });
}
