import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { SetupError } from "./config.ts";
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
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}
