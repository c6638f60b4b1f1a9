import { once } from "node:events";
import { createServer } from "node:net";

/** Finds a port on which no program listens at this moment. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  if (typeof address !== "object" || address === null) throw new Error("no free port was found");
  return address.port;
}
