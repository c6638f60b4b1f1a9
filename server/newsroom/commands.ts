import { siteSettingsFile } from "../../app/features/brand/feature.server.ts";
import { createSafeFetch } from "../../app/lib/external/safe-fetch.server.ts";
import { CommandError, fail } from "../../app/lib/newsroom/command-error.ts";
import { formatTable } from "../../app/lib/newsroom/printing.ts";
import { toSafeLine } from "../../app/lib/text/plain-text.ts";
import type { Caller, Command, CommandContext } from "../../app/platform/command.ts";
import type { OpenDatabase, Snapshot } from "../../db/database.ts";
import { findDiskFull } from "../../db/pglite/disk-space.ts";
import { isSetupError } from "../process/setup-error.ts";
import { version } from "../process/version.ts";
import type { Delay } from "../process/watchdog.ts";
import type { Config } from "../site/config.ts";
import { readSite } from "../site/site-files.ts";
import { createTextParser } from "../site/text-parser.ts";
import { extractFlags, findVerbName, parseCommand } from "./command-line.ts";
import { printHelp, program } from "./help.ts";

/** What the server's own commands may use, in addition to what every command gets. */
export type ServerCommandContext = CommandContext & {
  config: Config;
  /** For a restore: nothing else can write to the database while the work runs. */
  withoutWriters: OpenDatabase["withoutWriters"];
  /** A consistent copy of all rows. The caller removes it. */
  takeSnapshot(): Promise<Snapshot>;
  /** The longest delay of the event loop within the last hour, in a server. */
  worstDelay?(): Delay | null;
};

/** What the process that runs a command provides, the same for every caller. */
export type CommandHost = Omit<ServerCommandContext, keyof Caller | "table" | "readSite">;

/** Adds to a command's caller and host what follows from both. */
export const openCommandContext = (given: Caller & CommandHost): ServerCommandContext => ({
  ...given,
  fetch: given.isOffline ? createSafeFetch(given.config.fetchAllow, true) : given.fetch,
  readSite: (sources) => readSite(given.siteFolder, sources, createTextParser(given.runInWorker)),
  table(head, rows) {
    // Line breaks and control characters would shift the columns.
    const cells = rows.map((row) => row.map(toSafeLine));
    for (const line of formatTable(head, cells, given.columns)) given.print(line);
  },
});

/** Any command. It gets the server's whole context, even if it needs only part of it. */
export type AnyCommand = Command<ServerCommandContext>;

const findCommand = (commands: AnyCommand[], name: string | undefined) =>
  commands.find((command) => command.name === name);

/**
 * Returns the name of a command and its verb. The other words may contain a reader's email address,
 * so they are left out.
 */
export function nameForLog(commands: AnyCommand[], argv: string[]): string {
  const [name, ...words] = argv;
  const command = findCommand(commands, name);
  return command ? (findVerbName(command, words) ?? command.name) : "help";
}

/** Parses and runs a command in this process, and returns its exit code. */
export async function runCommand(
  commands: AnyCommand[],
  argv: string[],
  given: Caller & CommandHost,
): Promise<number> {
  const context = openCommandContext(given);
  const { words, isPresent: isHelp } = extractFlags(argv, ["--help", "-h"]);
  const [name, ...rest] = words;
  const command = findCommand(commands, name);
  const runVerbOrHelp = async () => {
    if (command && !isHelp) {
      const { verb, values } = parseCommand(command, rest);
      if (!(await selectCommands([command], context)).includes(command))
        fail(`✗ This city has no ${command.part}: \`without\` in site.yaml lists it.`);
      return verb.run(context, values);
    }
    if (name === undefined || !["--version", "-v", "version"].includes(name))
      return printHelp(
        await selectCommands(commands, context),
        name === "help" ? rest[0] : name,
        context,
      );
    context.result({ version });
    context.print(`Harborline ${version}`);
  };
  const exit = await runVerbOrHelp().catch((error: unknown) => {
    const { message, exit } = toCommandError(error);
    for (const line of message.split("\n")) context.print(line);
    return exit;
  });
  if (exit === 2 && command) context.print(`Run "${program} help ${command.name}" for examples.`);
  return exit ?? 0;
}

/** Returns the commands about what the city has, or all while site.yaml cannot be read. */
async function selectCommands(
  commands: AnyCommand[],
  context: ServerCommandContext,
): Promise<AnyCommand[]> {
  if (commands.every(({ part }) => part === undefined)) return commands;
  const site = await context.readSite([siteSettingsFile]).catch(() => null);
  return commands.filter(({ part }) => !part || !site || site.hasPage(`/${part}`));
}

/** Throws errors again that are not for the caller, because they are bugs. */
function toCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  const explained = isSetupError(error) ? error : findDiskFull(error);
  if (!explained) throw error;
  return new CommandError(`✗ ${explained.message}`, 1);
}
