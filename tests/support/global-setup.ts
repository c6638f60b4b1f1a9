import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { TestProject } from "vitest/node";
import { fromPglite, openDatabase } from "../../db/client.ts";
import { createDatabase } from "../../db/pglite/empty-database.ts";
import { createPglite } from "../../db/pglite/open.ts";
import { buildIfNeeded } from "../../server/process/build.ts";
import { inThisThread } from "./in-this-thread.ts";
import {
  createDatabase as createPostgresDatabase,
  startPostgres,
  type TestPostgres,
} from "./postgres.ts";
import { findProgram, installPackages, listMissingServers } from "./programs.ts";
import { makeDataTemplate, temporaryFolder } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
    /** The name of a database that has all tables and no rows. */
    postgresTemplate: string;
    pgliteDump: string;
    dataTemplate: string;
    /** The path of the nginx program, or null if it is not installed and cannot be installed. */
    nginx: string | null;
    /** The paths of the programs for a real radio station, or null if one is missing. */
    icecast: { server: string; ffmpeg: string } | null;
  }
}

/**
 * Prepares what all tests share: the build, a running Postgres, and three templates (a migrated
 * PGlite, a migrated Postgres database, and the data folder of a server that has started once).
 * Tests copy the templates, because creating them for each test takes three to five times as long.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildIfNeeded(console.log);
  const folder = await temporaryFolder();
  const dataTemplate = join(folder.path, "data");
  const dump = join(folder.path, "pglite.tar");
  // One after the other: a connection to Postgres may not wait long, not even on a busy machine.
  const { postgres, template } = await startMigratedPostgres();
  await makePgliteDump(join(dataTemplate, "database"), dump);
  await makeDataTemplate(dataTemplate);
  process.env.DATA_TEMPLATE = dataTemplate;
  installPackages(listMissingServers());
  const [icecast, ffmpeg] = [findProgram("icecast2"), findProgram("ffmpeg")];
  project.provide("icecast", icecast && ffmpeg ? { server: icecast, ffmpeg } : null);
  project.provide("nginx", findProgram("nginx") ?? null);
  project.provide("dataTemplate", dataTemplate);
  project.provide("pgliteDump", dump);
  project.provide("postgresTemplate", template);
  project.provide("postgresUrl", postgres.url("postgres"));
  return async () => {
    await postgres.stop();
    await folder.remove();
  };
}

/**
 * Creates a migrated database in a folder, and a dump of it. The server of the data template then
 * starts with this database, so that the migrations run only once.
 */
async function makePgliteDump(databaseFolder: string, dump: string): Promise<void> {
  await mkdir(databaseFolder, { recursive: true });
  // The build contains an empty database. Creating a new one would take six seconds of CPU time.
  await createDatabase(databaseFolder);
  const client = await createPglite({ dataDir: databaseFolder });
  const database = await fromPglite(inThisThread(client));
  await writeFile(dump, Buffer.from(await (await client.dumpDataDir("none")).arrayBuffer()));
  await database.close();
}

/** Starts Postgres with a migrated database, and returns the name of that database. */
async function startMigratedPostgres(): Promise<{ postgres: TestPostgres; template: string }> {
  const postgres = await startPostgres();
  const databaseUrl = await createPostgresDatabase(postgres.url("postgres"));
  const database = await openDatabase({ dataDir: "", databaseUrl, onError: console.error });
  await database.close();
  return { postgres, template: basename(databaseUrl) };
}
