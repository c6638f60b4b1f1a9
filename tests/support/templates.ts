// Creates what tests copy, because creating it for each test would take several times as long.

import { rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fromPglite } from "../../db/client.ts";
import { createDatabase } from "../../db/pglite/empty-database.ts";
import { createPglite } from "../../db/pglite/open.ts";
import { buildIfNeeded } from "../../server/process/build.ts";
import { inThisThread } from "./in-this-thread.ts";
import { startServer, temporaryFolder } from "./server.ts";

export type Templates = {
  /** A data folder as it is after a server's first start. Nothing in it is from readers. */
  data: string;
  /** A database in PGlite's format, with all tables and no rows. */
  pgliteDump: string;
};

const toTemplates = (folder: string): Templates => ({
  data: join(folder, "data"),
  pgliteDump: join(folder, "pglite.tar"),
});

/** Uses the templates of the test command, or creates some for this runner alone. */
export async function openTemplates(): Promise<{ templates: Templates; remove(): Promise<void> }> {
  const shared = process.env.TEST_TEMPLATES;
  if (shared) return { templates: toTemplates(shared), remove: async () => {} };
  await buildIfNeeded(console.log);
  const folder = await temporaryFolder();
  await createTemplates(folder.path);
  return { templates: toTemplates(folder.path), remove: folder.remove };
}

async function createTemplates(folder: string): Promise<void> {
  const { data, pgliteDump } = toTemplates(folder);
  const database = join(data, "database");
  await mkdir(database, { recursive: true });
  // The build contains an empty database. Creating a new one would take six seconds of CPU time.
  await createDatabase(database);
  const client = await createPglite({ dataDir: database });
  const migrated = await fromPglite(inThisThread(client));
  const dump = await client.dumpDataDir("none");
  await writeFile(pgliteDump, Buffer.from(await dump.arrayBuffer()));
  await migrated.close();
  const server = await startServer({ DATA_DIR: data });
  await server.waitForOutput("search.indexed");
  await server.stop();
  // Any city may use a copy.
  rmSync(join(data, "city"));
}

if (import.meta.main) await createTemplates(process.argv[2] ?? "");
