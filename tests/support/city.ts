import { cpSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type RunningServer, startServer, temporaryFolder } from "./server.ts";

export type TestCity = {
  server: RunningServer;
  dataDir: string;
  siteFolder: string;
  /** Edits a site file while the server is running, as an editor would. */
  edit(file: string, change: (source: string) => string): Promise<void>;
  close(): Promise<void>;
};

/** Starts a server for a copy of Baltimore with changes to some of its site files. */
export async function startCity(
  changes: Record<string, (source: string) => string>,
  env: Record<string, string> = {},
): Promise<TestCity> {
  const folder = await temporaryFolder();
  const city = join(folder.path, "sites/testville");
  cpSync("sites/baltimore", city, { recursive: true });
  const edit: TestCity["edit"] = async (file, change) => {
    const path = join(city, file);
    const source = await readFile(path, "utf8");
    const changedSource = change(source);
    if (changedSource === source) throw new Error(`The change had no effect on ${file}.`);
    await writeFile(path, changedSource);
  };
  for (const [file, change] of Object.entries(changes)) await edit(file, change);
  const dataDir = join(folder.path, "data");
  // The template is created once for all tests: a data folder as it is after a server's first
  // start.
  if (process.env.DATA_TEMPLATE) cpSync(process.env.DATA_TEMPLATE, dataDir, { recursive: true });
  const server = await startServer({
    DATA_DIR: dataDir,
    SITES_DIR: join(folder.path, "sites"),
    ...env,
  });
  return {
    server,
    dataDir,
    siteFolder: city,
    edit,
    async close() {
      await server.stop();
      await folder.remove();
    },
  };
}
