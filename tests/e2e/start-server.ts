import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { buildIfNeeded } from "../../server/process/build.ts";
import {
  makeDataTemplate,
  openTemplates,
  startServer,
  temporaryFolder,
} from "../support/server.ts";

/** Starts one server for all browser tests, on a free port. Returns a function that stops it. */
export default async function start(): Promise<() => Promise<void>> {
  await buildIfNeeded(console.log);
  const data = await temporaryFolder();
  const templates = await openTemplates();
  // The template stays available for tests that start a separate server.
  const template = join(templates.path, "data");
  if (!existsSync(template)) await makeDataTemplate(template);
  cpSync(template, join(data.path, "data"), { recursive: true });
  // The tests send X-Forwarded-For, so that each is a visitor of its own: see support.ts.
  const server = await startServer({
    DATA_DIR: join(data.path, "data"),
    TRUST_PROXY: "127.0.0.1",
  });
  process.env.E2E_URL = server.url;
  process.env.DATA_TEMPLATE = template;
  return async () => {
    await server.stop();
    await data.remove();
    await templates.remove();
  };
}
