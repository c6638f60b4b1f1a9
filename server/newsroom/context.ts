import { createSafeFetch } from "../../app/lib/external/safe-fetch.server.ts";
import { formatTable } from "../../app/lib/newsroom/printing.ts";
import { toSafeLine } from "../../app/lib/text/plain-text.ts";
import type { Caller, CommandContext } from "../../app/platform/command.ts";
import type { OpenDatabase, Snapshot } from "../../db/database.ts";
import type { WorstDelays } from "../process/watchdog.ts";
import type { Config } from "../site/config.ts";
import { readSite } from "../site/site-files.ts";
import { createTextParser } from "../site/text-parser.ts";

/** What the server's own commands may use, in addition to what every command gets. */
export type ServerCommandContext = CommandContext & {
  config: Config;
  /** For a restore: nothing else can write to the database while the work runs. */
  withoutWriters: OpenDatabase["withoutWriters"];
  /** A consistent copy of all rows. The caller removes it. */
  takeSnapshot(): Promise<Snapshot>;
  /** The longest delays of the event loop; null where they are not measured. */
  worstDelays?(): WorstDelays | null;
};

/**
 * What the process that runs commands provides for them. `openCommandContext` adds the functions
 * that print and that read site files.
 */
export type CommandHost = Caller &
  Omit<ServerCommandContext, keyof Caller | "table" | "result" | "readSite">;

export const openCommandContext = (host: CommandHost): ServerCommandContext => ({
  ...host,
  result() {},
  fetch: host.isOffline ? createSafeFetch(host.config.fetchAllow, true) : host.fetch,
  progress: (done, all, what) => host.progress({ done, all, what }),
  readSite: (sources) => readSite(host.siteFolder, sources, createTextParser(host.runInWorker)),
  table(head, rows) {
    // Line breaks and control characters would shift the columns.
    const cells = rows.map((row) => row.map(toSafeLine));
    for (const line of formatTable(head, cells, host.columns)) host.print(line);
  },
});
