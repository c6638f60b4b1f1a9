import { table } from "../../app/lib/newsroom/printing.ts";
import { toSafeLine } from "../../app/lib/text/plain-text.ts";
import type { Caller, CommandContext } from "../../app/platform/command.ts";
import type { OpenDatabase, Snapshot } from "../../db/database.ts";
import type { WorstDelays } from "../process/watchdog.ts";
import type { Config } from "../site/config.ts";
import { readSite } from "../site/site-files.ts";

/** What commands of the server itself may use beside the desk of all commands. */
export type ServerCommandContext = CommandContext & {
  config: Config;
  /** For a restore: nobody else can write to the database meanwhile. */
  withoutWriters: OpenDatabase["withoutWriters"];
  /** All rows as they are at one moment; the caller removes it. */
  takeSnapshot(): Promise<Snapshot>;
  /** How long the server has kept its readers waiting; null where nobody measures it. */
  worstDelays?(): WorstDelays | null;
};

/** What a process provides for its commands. The desk adds the ways to print and to read files. */
export type CommandHost = Caller &
  Omit<ServerCommandContext, keyof Caller | "table" | "result" | "readSite">;

export const openCommandContext = (setting: CommandHost): ServerCommandContext => ({
  ...setting,
  result() {},
  progress: (done, all, what) => setting.progress({ done, all, what }),
  readSite: (sources) => readSite(setting.siteFolder, sources),
  table(head, rows) {
    // One line each and without control characters: both would shift the columns.
    const cells = rows.map((row) => row.map(toSafeLine));
    for (const line of table(head, cells, setting.columns)) setting.print(line);
  },
});
