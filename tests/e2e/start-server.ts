import { cpSync } from "node:fs";
import { startServer, temporaryFolder } from "../support/server.ts";
import { openTemplates } from "../support/templates.ts";

/** Starts one server for all browser tests, on a free port. Returns a function that stops it. */
export default async function start(): Promise<() => Promise<void>> {
  const { templates, remove } = await openTemplates();
  const data = await temporaryFolder();
  cpSync(templates.data, data.path, { recursive: true });
  // The tests send X-Forwarded-For, so that each is a visitor of its own: see support.ts.
  const server = await startServer({
    DATA_DIR: data.path,
    TRUST_PROXY: "127.0.0.1",
  });
  process.env.E2E_URL = server.url;
  process.env.DATA_TEMPLATE = templates.data;
  return async () => {
    await server.stop();
    await data.remove();
    await remove();
  };
}
