import { readFile } from "node:fs/promises";
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

/** Opens a separate database for a test, with all tables and no rows. */
export async function openTestDatabase(
  kind: (typeof databaseKinds)[number] = "pglite",
): Promise<OpenDatabase> {
  if (kind === "pglite") {
    const dump = new Blob([await readFile(inject("pgliteDump"))]);
    return fromPglite(inThisThread(await createPglite({ loadDataDir: dump })));
  }
  return openDatabase({
    dataDir: "",
    databaseUrl: await createDatabase(inject("postgresUrl"), inject("postgresTemplate")),
    onError: console.error,
  });
}
