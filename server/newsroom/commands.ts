import type { Command } from "../../app/platform/command.ts";
import { findDiskFull } from "../../db/pglite/disk-space.ts";
import { isSetupError } from "../process/setup-error.ts";
import { version } from "../process/version.ts";
import { extractFlags, findVerbName, parseCommand } from "./command-line.ts";
import { openDesk, type ServerDesk, type Setting } from "./desk.ts";
import { askForHelp, help } from "./help.ts";

/** Any command: one that needs less than a server's desk can be run on it too. */
export type AnyCommand = Command<ServerDesk>;

export async function runCommand(commands: AnyCommand[], argv: string[], setting: Setting): Promise<number> {
  const { words, isGiven: isForPrograms } = extractFlags(argv, ["--json"]);
  if (!isForPrograms) return choose(commands, words, openDesk(setting));
  const lines: string[] = [];
  const desk = openDesk({ ...setting, columns: null, confirm: null, print: (line) => lines.push(line) });
  let found: unknown;
  const exit = await choose(commands, words, {
    ...desk,
    answer(value) {
      found = value;
    },
  });
  // A command that was not understood, or prints nothing but sentences, gives JSON too.
  setting.print(JSON.stringify(found === undefined ? { exit, lines } : found, null, 2));
  return exit;
}

/** The command and its verb without the rest of what was typed, which may be a reader's address. */
export function nameOfCommand(commands: AnyCommand[], [name, ...words]: string[]): string {
  const command = commands.find((candidate) => candidate.name === name);
  return command ? (findVerbName(command, words) ?? command.name) : "help";
}

async function choose(commands: AnyCommand[], argv: string[], desk: ServerDesk): Promise<number> {
  const { words, isGiven: isHelp } = extractFlags(argv, ["--help", "-h"]);
  const [name, ...rest] = words;
  if (name === undefined || name === "help") return help(commands, rest[0], desk);
  if (name === "--version" || name === "-v" || name === "version") {
    desk.answer({ version });
    desk.print(`Harborline ${version}`);
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (!command || isHelp) return help(commands, name, desk);
  const parsed = parseCommand(command, rest);
  if (parsed.kind === "unclear") {
    desk.print(parsed.says);
    desk.print(askForHelp(command.name));
    return 2;
  }
  const exit = await parsed.verb.run(parsed.args, parsed.options, desk).catch((error: unknown) => {
    const known = isSetupError(error) ? error : findDiskFull(error);
    if (!known) throw error;
    desk.print(`✗ ${known.message}`);
    return 1;
  });
  if (exit === 2) desk.print(askForHelp(command.name));
  return exit;
}
