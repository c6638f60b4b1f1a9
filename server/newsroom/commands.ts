import type { SafeFetch } from "../../app/lib/outside/safe-fetch.server.ts";
import type { SiteSource } from "../../app/lib/site/site-file.server.ts";
import { nearest } from "../../app/lib/text/nearest.ts";
import { plainLine } from "../../app/lib/text/plain-text.ts";
import type { RunOutside } from "../../app/platform/outside.ts";
import type { Services } from "../../app/platform/services.ts";
import type { Database, OpenDatabase, Snapshot } from "../../db/client.ts";
import { findDiskFull } from "../../db/pglite/disk-space.ts";
import { version } from "../process/version.ts";
import type { WorstDelays } from "../process/watchdog.ts";
import { type Config, isSetupError } from "../site/config.ts";
import { askForHelp, help, verbsOf } from "./help.ts";
import { table } from "./printing.ts";

/** A command of the newsroom. It runs inside the server when one is running, else on its own. */
export type Command = {
  name: string;
  summary: string;
  usage: string;
  /** As typed after the program's name. The second words of a command with verbs are its verbs. */
  examples: string[];
  /** The answer is the exit code: 0 done, 1 something is wrong with the content, 2 the command was not understood. */
  run(args: string[], desk: Desk): Promise<number>;
};

/** How far a long piece of work has come. */
export type Step = { done: number; all: number; what: string };

/** Whoever typed a command, and what can be said to them. */
export type Caller = {
  /** A line for people. */
  print(line: string): void;
  /** Replaces what was last said of the same work. */
  progress(step: Step): void;
  /** Where the command was typed: files are named from there. */
  cwd: string;
  /** The width of their terminal; null for a pipe or a file, where nothing has to be cut. */
  columns: number | null;
  /** Asks a person to confirm; null where nobody can answer, as in a script. */
  confirm: ((question: string) => Promise<boolean>) | null;
};

/** How a command is set to work: what it needs, but for its ways to speak. */
export type Setting = Caller & {
  config: Config;
  siteFolder: string;
  siteFiles: SiteSource[];
  /** Opened only when a command asks for it. */
  database(): Promise<Database>;
  /** For a restore: nobody else can write to the database meanwhile. */
  withoutWriters: OpenDatabase["withoutWriters"];
  /** All rows as they are at one moment; whoever takes it removes it. */
  takeSnapshot(): Promise<Snapshot>;
  fetch: SafeFetch;
  outside: RunOutside;
  /** All that routes and jobs may reach, the way out for mails included. Opened only when a command asks for it. */
  services(): Promise<Services>;
  /** Whether the command runs inside a server. */
  isServing: boolean;
  /** How long that server has kept its readers waiting; null where nobody measures it. */
  worstDelays?(): WorstDelays | null;
};

export type Desk = Omit<Setting, "progress"> & {
  progress(done: number, all: number, what: string): void;
  /** Rows under their heads, cut to the terminal's width where there is one. */
  table(head: string[], rows: string[][]): void;
  /** What the command found, for programs: shown only when asked for with --json, and then instead of all lines. */
  answer(found: unknown): void;
};

export async function runCommand(commands: Command[], argv: string[], setting: Setting): Promise<number> {
  if (!argv.includes("--json")) return choose(commands, argv, deskOf(setting));
  const lines: string[] = [];
  const desk = deskOf({ ...setting, columns: null, confirm: null, print: (line) => lines.push(line) });
  let found: unknown;
  const exit = await choose(
    commands,
    argv.filter((word) => word !== "--json"),
    {
      ...desk,
      answer(value) {
        found = value;
      },
    },
  );
  // A command that was not understood, or has nothing but words to say, is JSON too.
  setting.print(JSON.stringify(found === undefined ? { exit, lines } : found, null, 2));
  return exit;
}

/** The command and its verb without the rest of what was typed, which may be a reader's address. */
export function nameOfCommand(commands: Command[], [name, verb = ""]: string[]): string {
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) return "help";
  return verbsOf(command).includes(verb) ? `${command.name} ${verb}` : command.name;
}

const deskOf = (setting: Setting): Desk => ({
  ...setting,
  answer() {},
  progress: (done, all, what) => setting.progress({ done, all, what }),
  table(head, rows) {
    // In one line each, and without what only a terminal understands: both would shift the columns.
    const cells = rows.map((row) => row.map(plainLine));
    for (const line of table(head, cells, setting.columns)) setting.print(line);
  },
});

async function choose(commands: Command[], argv: string[], desk: Desk): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    return help(commands, args[0], desk);
  }
  if (name === "--version" || name === "-v" || name === "version") {
    desk.answer({ version });
    desk.print(`Harborline ${version}`);
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) return help(commands, name, desk);
  if (args.includes("--help") || args.includes("-h")) return help(commands, name, desk);
  const exit = await command.run(args, desk).catch((error: unknown) => {
    const known = isSetupError(error) ? error : findDiskFull(error);
    if (!known) throw error;
    desk.print(`✗ ${known.message}`);
    return 1;
  });
  if (exit === 2) suggestVerb(command, args[0], desk);
  return exit;
}

/** A command that was not understood may have been typed in a hurry. */
function suggestVerb(command: Command, typed: string | undefined, desk: Desk): void {
  const verbs = verbsOf(command);
  const meant = typed === undefined || verbs.includes(typed) ? undefined : nearest(typed, verbs);
  if (meant !== undefined) desk.print(`Did you mean "${command.name} ${meant}"?`);
  desk.print(askForHelp(command.name));
}
