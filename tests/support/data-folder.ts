import { cpSync } from "node:fs";
import { inject } from "vitest";
import { temporaryFolder } from "./server.ts";

/**
 * Creates a data folder as it is after a server's first start: the database has all tables, and
 * nothing from readers.
 */
export async function createDataFolder(): ReturnType<typeof temporaryFolder> {
  const folder = await temporaryFolder();
  cpSync(inject("dataTemplate"), folder.path, { recursive: true });
  return folder;
}
