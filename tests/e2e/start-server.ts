import { cpSync } from "node:fs";
import { join } from "node:path";
import { buildIfNeeded } from "../../server/process/build.ts";
import { makeDataTemplate, startServer, temporaryFolder } from "../support/server.ts";

/** Starts one server for all browser tests, on a free port. Returns a function that stops it. */
export default async function start(): Promise<() => Promise<void>> {
  await buildIfNeeded(console.log);
  const folder = await temporaryFolder();
  const data = join(folder.path, "data");
  const template = join(folder.path, "template");
  // The template stays available for tests that start a separate server.
  await makeDataTemplate(template);
  cpSync(template, data, { recursive: true });
  // The tests send X-Forwarded-For, so that each is a visitor of its own: see support.ts.
  const server = await startServer({
    DATA_DIR: data,
    TRUST_PROXY: "127.0.0.1",
  });
  process.env.E2E_URL = server.url;
  process.env.DATA_TEMPLATE = template;
  return async () => {
    await server.stop();
    await folder.remove();
  };
}
