import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

type Wire = {
  url: string;
  cut(): void;
  fix(): Promise<void>;
  /** Connections stay open and new ones are accepted, but nothing gets through until `resume`. */
  silence(): void;
  resume(): void;
};

/** A line to a server that can be cut, all connections at once, and mended. */
export async function layWire(to: string): Promise<Wire> {
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
    cut() {
      server?.close();
      for (const end of ends) end.destroy();
    },
    fix,
    silence() {
      isSilent = true;
      for (const end of ends) end.unpipe();
    },
    resume() {
      isSilent = false;
      for (const pair of pairs) join(pair);
    },
  };
}
