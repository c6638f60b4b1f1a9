import { once } from "node:events";
import { createServer } from "node:http";
import type { Nginx } from "./nginx.ts";

/**
 * The least that a load balancer does, for machines without nginx: takes turns, and asks the other
 * when one is gone.
 */
export async function startBalancer(
  nodes: [string, string],
): Promise<Pick<Nginx, "request" | "stop">> {
  let turn = 0;
  const server = createServer(async (request, response) => {
    turn += 1;
    for (const node of turn % 2 ? nodes : nodes.toReversed()) {
      const answer = await fetch(node + request.url).catch(() => null);
      if (!answer) continue;
      const body = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status).end(body);
      return;
    }
    response.writeHead(502).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    async request(path) {
      const answer = await fetch(url + path);
      return { status: answer.status, headers: {}, body: await answer.text() };
    },
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
