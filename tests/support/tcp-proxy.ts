import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { findFreePort } from "./free-port.ts";

export type TcpProxy = {
  url: string;
  disconnect(): void;
  reconnect(): Promise<void>;
  /** Keeps connections open and accepts new ones, but forwards nothing until `resume`. */
  freeze(): void;
  resume(): void;
};

/**
 * Starts a TCP proxy to a server. A test can close all its connections, and later let it accept
 * connections again.
 */
export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const port = await findFreePort();
  const targetPort = Number(new URL(targetUrl).port);
  const sockets = new Set<Socket>();
  const pairs = new Set<[Socket, Socket]>();
  let server: Server | null = null;
  let isFrozen = false;
  const forward = ([client, target]: [Socket, Socket]) => client.pipe(target).pipe(client);
  const reconnect = async () => {
    server = createServer((client) => {
      const target = connect(targetPort, "127.0.0.1");
      const pair: [Socket, Socket] = [client, target];
      pairs.add(pair);
      for (const socket of [client, target]) {
        sockets.add(socket);
        socket.on("error", () => {});
        socket.on("close", () => {
          sockets.delete(socket);
          pairs.delete(pair);
          client.destroy();
          target.destroy();
        });
      }
      if (!isFrozen) forward(pair);
    }).listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await reconnect();
  return {
    url: `http://localhost:${port}`,
    disconnect() {
      server?.close();
      for (const socket of sockets) socket.destroy();
    },
    reconnect,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.unpipe();
    },
    resume() {
      isFrozen = false;
      for (const pair of pairs) forward(pair);
    },
  };
}
