import { readFile } from "node:fs/promises";
import type { PGlite } from "@electric-sql/pglite";
import { inject } from "vitest";
import { fromPglite, openDatabase } from "../../db/client.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { createPglite } from "../../db/pglite/open.ts";
import { inThisThread } from "./in-this-thread.ts";
import { createDatabase } from "./postgres.ts";

/**
 * For tests of what can differ between the two databases: full-text search, large writes, emails
 * and secrets.
 */
export const databaseKinds = ["pglite", "postgres"] as const;

/** A PGlite that no test uses at the moment. Opening one takes longer than most tests. */
let unused: PGlite | undefined;

/** Opens a database for a test, with all tables and no rows. */
export async function openTestDatabase(
  kind: (typeof databaseKinds)[number] = "pglite",
): Promise<OpenDatabase> {
  if (kind === "postgres")
    return openDatabase({
      dataDir: "",
      databaseUrl: await createDatabase(inject("postgresUrl"), inject("postgresTemplate")),
      onError: console.error,
    });
  const client = unused ?? (await loadPglite());
  unused = undefined;
  let isClosed = false;
  const close = async () => {
    isClosed = true;
    if (unused) return client.close();
    await client.exec(deleteRows);
    unused = client;
  };
  const open = { ...inThisThread(client), close };
  return fromPglite(
    new Proxy(open, {
      get(_, name) {
        if (isClosed) throw new Error("The database is closed.");
        return Reflect.get(open, name);
      },
    }),
  );
}

/** How many statements on this Postgres wait until another one ends its transaction. */
export const countWaitingForLock = async (postgres: OpenDatabase): Promise<number> =>
  (
    await postgres.executeSql(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )
  ).rows.length;

const loadPglite = async (): Promise<PGlite> =>
  createPglite({ loadDataDir: new Blob([await readFile(inject("pgliteDump"))]) });

/** Also deletes the tables of jobs, and settings of the session. */
const deleteRows = `drop schema if exists pgboss cascade; reset all; do $$ declare names text; begin
  select string_agg(quote_ident(tablename), ', ') into names from pg_tables
    where schemaname = 'public';
  execute 'truncate ' || names || ' restart identity cascade';
end $$`;
