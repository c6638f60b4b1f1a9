import { once } from "node:events";
import { createServer } from "node:http";
import type { Nginx } from "./nginx.ts";

/**
 * Starts a minimal load balancer for machines without nginx. It alternates between two nodes, and
 * tries the other node when one does not respond.
 */
export async function startBalancer(
  nodes: [string, string],
): Promise<Pick<Nginx, "request" | "stop">> {
  let turn = 0;
  const server = createServer(async (request, response) => {
    turn += 1;
    for (const node of turn % 2 ? nodes : nodes.toReversed()) {
      const nodeResponse = await fetch(node + request.url).catch(() => null);
      if (!nodeResponse) continue;
      const body = Buffer.from(await nodeResponse.arrayBuffer());
      response.writeHead(nodeResponse.status).end(body);
      return;
    }
    response.writeHead(502).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    async request(path) {
      const response = await fetch(url + path);
      return { status: response.status, headers: {}, body: await response.text() };
    },
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
