import { cpSync, mkdirSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type RunningServer, startServer, temporaryFolder } from "./server.ts";

export type TestCity = {
  server: RunningServer;
  dataDir: string;
  siteFolder: string;
  /** Edits a site file while the server is running, as an editor would. */
  edit(file: string, change: (source: string) => string): Promise<void>;
  /** Saves a site file, and waits until the server has read it. */
  save(file: string, source: string): Promise<void>;
  /** Removes a site file, and waits until the server has noticed. */
  remove(file: string): Promise<void>;
  close(): Promise<void>;
};

/** Starts a server for a copy of Baltimore with changes to some of its site files, and new ones. */
export async function startCity(
  changes: Record<string, (source: string) => string>,
  env: Record<string, string> = {},
  newFiles: Record<string, string> = {},
  /** Changes the data folder before the server starts. */
  prepareData: (dataDir: string) => Promise<void> = async () => {},
  entry?: Parameters<typeof startServer>[1],
): Promise<TestCity> {
  const folder = await temporaryFolder();
  const city = join(folder.path, "sites/testville");
  const edit: TestCity["edit"] = async (file, change) => {
    const path = join(city, file);
    const source = await readFile(path, "utf8");
    const changedSource = change(source);
    if (changedSource === source) throw new Error(`The change had no effect on ${file}.`);
    await writeFile(path, changedSource);
  };
  const dataDir = join(folder.path, "data");
  const start = async () => {
    cpSync("sites/baltimore", city, { recursive: true });
    const network = await readFile("sites/network.yaml", "utf8");
    const ownNetwork = network.replaceAll(/\bbaltimore(?=,|$)/gm, "testville");
    await writeFile(join(folder.path, "sites/network.yaml"), ownNetwork);
    for (const [file, change] of Object.entries(changes)) await edit(file, change);
    for (const [file, source] of Object.entries(newFiles))
      await writeFile(join(city, file), source);
    // The template is created once for all tests: a data folder as it is after a server's first
    // start.
    if (process.env.DATA_TEMPLATE) {
      mkdirSync(dataDir, { mode: 0o700 });
      cpSync(process.env.DATA_TEMPLATE, dataDir, { recursive: true });
    }
    await prepareData(dataDir);
    const serverEnv = { DATA_DIR: dataDir, SITES_DIR: join(folder.path, "sites"), ...env };
    return startServer(serverEnv, entry);
  };
  const server = await start().catch(async (error: unknown) => {
    await folder.remove();
    throw error;
  });

  /** Changes a site file, and waits until the log says so once more. */
  async function changeFile(event: string, file: string, change: () => Promise<void>) {
    const text = `"event":"${event}","file":"${file}"`;
    const countBefore = server.output().split(text).length - 1;
    await change();
    await server.waitForOutput(text, countBefore + 1);
  }
  return {
    server,
    dataDir,
    siteFolder: city,
    edit,
    save: (file, source) =>
      changeFile("site.changed", file, () => writeFile(join(city, file), source)),
    remove: (file) => changeFile("site.removed", file, () => rm(join(city, file))),
    async close() {
      try {
        await server.stop();
      } finally {
        await folder.remove();
      }
    },
  };
}
