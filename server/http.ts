import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { allowedMethods, refuse } from "./guard.ts";

type Handler = (request: Request) => Response | Promise<Response>;
type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** The listening side: raw requests are checked, slow ones are cut off, the rest become Request and Response. */
export function createHttpServer(fetch: Handler, first?: Middleware): Server {
  const answer = getRequestListener(fetch, { overrideGlobalObjects: false });
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
    },
    (request, response) => {
      const refusal = refuse(request.method ?? "", request.url ?? "");
      if (refusal) {
        const headers = { "Content-Type": "text/plain; charset=utf-8", Allow: allowedMethods.join(", ") };
        response.writeHead(refusal.status, { ...headers, Connection: "close" });
        response.end(`${refusal.status}: ${refusal.message}\n`);
        return;
      }
      if (!first) return answer(request, response);
      first(request, response, () => answer(request, response));
    },
  );
  return server;
}

/** Takes no new requests, lets the open ones finish, and ends what is still there after the grace time. */
export function closeHttpServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}
