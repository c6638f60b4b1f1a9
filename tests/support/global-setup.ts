import { basename } from "node:path";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../db/client.ts";
import {
  createDatabase as createPostgresDatabase,
  startPostgres,
  type TestPostgres,
} from "./postgres.ts";
import { findProgram, installPackages, listMissingServers } from "./programs.ts";
import { openTemplates } from "./templates.ts";

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

/** Prepares what all tests share: the build, the templates, and a running Postgres. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { templates, remove } = await openTemplates();
  const { postgres, template } = await startMigratedPostgres();
  process.env.DATA_TEMPLATE = templates.data;
  installPackages(listMissingServers());
  const [icecast, ffmpeg] = [findProgram("icecast2"), findProgram("ffmpeg")];
  project.provide("icecast", icecast && ffmpeg ? { server: icecast, ffmpeg } : null);
  project.provide("nginx", findProgram("nginx") ?? null);
  project.provide("dataTemplate", templates.data);
  project.provide("pgliteDump", templates.pgliteDump);
  project.provide("postgresTemplate", template);
  project.provide("postgresUrl", postgres.url("postgres"));
  return async () => {
    await postgres.stop();
    await remove();
  };
}

/** Starts Postgres with a migrated database, and returns the name of that database. */
async function startMigratedPostgres(): Promise<{ postgres: TestPostgres; template: string }> {
  const postgres = await startPostgres();
  const databaseUrl = await createPostgresDatabase(postgres.url("postgres"));
  const database = await openDatabase({ dataDir: "", databaseUrl, onError: console.error });
  await database.close();
  return { postgres, template: basename(databaseUrl) };
}
