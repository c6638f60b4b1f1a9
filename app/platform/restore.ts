import type { Database } from "../../db/database.ts";
import type { CommandContext } from "./command.ts";

/**
 * Runs on the database that will be replaced. The function that it returns runs in the transaction
 * that replaces the database.
 */
export type RestoreHook = (
  context: Pick<CommandContext, "readSite"> & { db: Database; now: Date; backupCreatedAt: Date },
) => Promise<(tx: Pick<Database, "insert" | "update">) => Promise<RestoreNotes>>;

export type RestoreNotes = {
  /** For people, one sentence each. */
  notes: string[];
  /** For programs. */
  result?: Record<string, unknown>;
};
