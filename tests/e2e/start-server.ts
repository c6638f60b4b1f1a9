import { buildIfNeeded } from "../../server/build.ts";
import { startServer, temporaryFolder } from "../support/server.ts";

/** One server for all browser tests, on a free port; what it gives back ends it. */
export default async function start(): Promise<() => Promise<void>> {
  await buildIfNeeded(console.log);
  const data = await temporaryFolder();
  const server = await startServer({ DATA_DIR: data.path });
  process.env.E2E_URL = server.url;
  return async () => {
    await server.stop();
    await data.remove();
  };
}
