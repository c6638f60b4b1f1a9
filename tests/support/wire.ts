import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

export type Wire = { url: string; cut(): void; mend(): Promise<void> };

/** A line to a server that can be cut, all connections at once, and mended. */
export async function layWire(to: string): Promise<Wire> {
  const port = await freePort();
  const far = Number(new URL(to).port);
  const ends = new Set<Socket>();
  let server: Server | null = null;
  const mend = async () => {
    server = createServer((near) => {
      const beyond = connect(far, "127.0.0.1");
      for (const end of [near, beyond]) {
        ends.add(end);
        end.on("error", () => {});
        end.on("close", () => {
          ends.delete(end);
          near.destroy();
          beyond.destroy();
        });
      }
      near.pipe(beyond).pipe(near);
    }).listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await mend();
  return {
    url: `http://localhost:${port}`,
    cut() {
      server?.close();
      for (const end of ends) end.destroy();
    },
    mend,
  };
}
