import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

type TcpProxy = {
  url: string;
  disconnect(): void;
  reconnect(): Promise<void>;
  /** Connections stay open and new ones are accepted, but nothing gets through until `resume`. */
  freeze(): void;
  resume(): void;
};

/** A line to a server that can be cut, all connections at once, and mended. */
export async function startTcpProxy(to: string): Promise<TcpProxy> {
  const port = await freePort();
  const far = Number(new URL(to).port);
  const ends = new Set<Socket>();
  const pairs = new Set<[Socket, Socket]>();
  let server: Server | null = null;
  let isSilent = false;
  const join = ([near, beyond]: [Socket, Socket]) => near.pipe(beyond).pipe(near);
  const fix = async () => {
    server = createServer((near) => {
      const beyond = connect(far, "127.0.0.1");
      const pair: [Socket, Socket] = [near, beyond];
      pairs.add(pair);
      for (const end of [near, beyond]) {
        ends.add(end);
        end.on("error", () => {});
        end.on("close", () => {
          ends.delete(end);
          pairs.delete(pair);
          near.destroy();
          beyond.destroy();
        });
      }
      if (!isSilent) join(pair);
    }).listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await fix();
  return {
    url: `http://localhost:${port}`,
    disconnect() {
      server?.close();
      for (const end of ends) end.destroy();
    },
    reconnect: fix,
    freeze() {
      isSilent = true;
      for (const end of ends) end.unpipe();
    },
    resume() {
      isSilent = false;
      for (const pair of pairs) join(pair);
    },
  };
}
