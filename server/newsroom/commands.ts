import type { Command } from "../../app/platform/command.ts";
import { findDiskFull } from "../../db/pglite/disk-space.ts";
import { isSetupError } from "../process/setup-error.ts";
import { version } from "../process/version.ts";
import { extractFlags, findVerbName, parseCommand } from "./command-line.ts";
import { type CommandHost, openCommandContext, type ServerCommandContext } from "./context.ts";
import { findCommand, helpHint, printHelp } from "./help.ts";

/** Any command. It gets the server's whole context, even if it needs only part of it. */
export type AnyCommand = Command<ServerCommandContext>;

export async function runCommand(
  commands: AnyCommand[],
  argv: string[],
  host: CommandHost,
): Promise<number> {
  const { words, isPresent: wantsJson } = extractFlags(argv, ["--json"]);
  if (!wantsJson) return dispatch(commands, words, openCommandContext(host));
  const lines: string[] = [];
  const context = openCommandContext({
    ...host,
    columns: null,
    confirm: null,
    print: (line) => lines.push(line),
  });
  let output: unknown;
  const exit = await dispatch(commands, words, {
    ...context,
    result(value) {
      output = value;
    },
  });
  // A command without a result, such as one that could not be parsed, also prints JSON.
  host.print(JSON.stringify(output === undefined ? { exit, lines } : output, null, 2));
  return exit;
}

/**
 * Returns the name of a command and its verb. The other words may contain a reader's email address,
 * so they are left out.
 */
export function nameForLog(commands: AnyCommand[], [name, ...words]: string[]): string {
  const command = findCommand(commands, name);
  return command ? (findVerbName(command, words) ?? command.name) : "help";
}

async function dispatch(
  commands: AnyCommand[],
  argv: string[],
  context: ServerCommandContext,
): Promise<number> {
  const { words, isPresent: isHelp } = extractFlags(argv, ["--help", "-h"]);
  const [name, ...rest] = words;
  if (name === undefined || name === "help") return printHelp(commands, rest[0], context);
  if (name === "--version" || name === "-v" || name === "version") {
    context.result({ version });
    context.print(`Harborline ${version}`);
    return 0;
  }
  const command = findCommand(commands, name);
  if (!command || isHelp) return printHelp(commands, name, context);
  // With --json this line is left out, because the result is printed instead of all lines.
  const parsed = parseCommand(command, rest);
  if (parsed.kind === "invalid") {
    context.print(parsed.message);
    context.print(helpHint(command.name));
    return 2;
  }
  const exit = await parsed.verb
    .run(parsed.args, parsed.options, context)
    .catch((error: unknown) => {
      const explainedError = isSetupError(error) ? error : findDiskFull(error);
      if (!explainedError) throw error;
      context.print(`✗ ${explainedError.message}`);
      return 1;
    });
  if (exit === 2) context.print(helpHint(command.name));
  return exit;
}
