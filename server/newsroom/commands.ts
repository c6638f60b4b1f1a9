import type { Command } from "../../app/platform/command.ts";
import { findDiskFull } from "../../db/pglite/disk-space.ts";
import { isSetupError } from "../process/setup-error.ts";
import { version } from "../process/version.ts";
import { extractFlags, findVerbName, parseCommand } from "./command-line.ts";
import { type CommandHost, openCommandContext, type ServerCommandContext } from "./context.ts";
import { help, helpHint } from "./help.ts";

/** Any command: one that needs less than a server's context can be run on it too. */
export type AnyCommand = Command<ServerCommandContext>;

export async function runCommand(
  commands: AnyCommand[],
  argv: string[],
  setting: CommandHost,
): Promise<number> {
  const { words, isGiven: isForPrograms } = extractFlags(argv, ["--json"]);
  if (!isForPrograms) return dispatch(commands, words, openCommandContext(setting));
  const lines: string[] = [];
  const context = openCommandContext({
    ...setting,
    columns: null,
    confirm: null,
    print: (line) => lines.push(line),
  });
  let found: unknown;
  const exit = await dispatch(commands, words, {
    ...context,
    result(value) {
      found = value;
    },
  });
  // A command that was not understood, or prints nothing but sentences, gives JSON too.
  setting.print(JSON.stringify(found === undefined ? { exit, lines } : found, null, 2));
  return exit;
}

/** The command and its verb without the rest of what was typed, which may be a reader's address. */
export function nameForLog(commands: AnyCommand[], [name, ...words]: string[]): string {
  const command = commands.find((candidate) => candidate.name === name);
  return command ? (findVerbName(command, words) ?? command.name) : "help";
}

async function dispatch(
  commands: AnyCommand[],
  argv: string[],
  context: ServerCommandContext,
): Promise<number> {
  const { words, isGiven: isHelp } = extractFlags(argv, ["--help", "-h"]);
  const [name, ...rest] = words;
  if (name === undefined || name === "help") return help(commands, rest[0], context);
  if (name === "--version" || name === "-v" || name === "version") {
    context.result({ version });
    context.print(`Harborline ${version}`);
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (!command || isHelp) return help(commands, name, context);
  const parsed = parseCommand(command, rest);
  if (parsed.kind === "unclear") {
    context.print(parsed.says);
    context.print(helpHint(command.name));
    return 2;
  }
  const exit = await parsed.verb
    .run(parsed.args, parsed.options, context)
    .catch((error: unknown) => {
      const known = isSetupError(error) ? error : findDiskFull(error);
      if (!known) throw error;
      context.print(`✗ ${known.message}`);
      return 1;
    });
  if (exit === 2) context.print(helpHint(command.name));
  return exit;
}
