import type { Database } from "../../db/database.ts";
import type { CommandContext } from "./command.ts";

/**
 * A feature's part in a restore. It reads what it needs from the database that will be replaced, and
 * returns a function that adjusts the restored rows, in the transaction that writes them.
 */
export type RestoreHook = (
  context: Pick<CommandContext, "readSite"> & { db: Database; now: Date; backupCreatedAt: Date },
) => Promise<(tx: Pick<Database, "insert" | "update">) => Promise<RestoreNotes>>;

export type RestoreNotes = {
  /** Sentences for people to read. */
  notes: string[];
  /** What is added to the JSON result, for programs. */
  result?: Record<string, unknown>;
};
