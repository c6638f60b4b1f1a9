import type { SafeFetch } from "../app/lib/safe-fetch.server.ts";
import type { SiteSource } from "../app/lib/site-file.server.ts";
import type { Database } from "../db/client.ts";

/** A command of the newsroom. It runs inside the server when one is running, else on its own. */
export type Command = {
  name: string;
  summary: string;
  usage: string;
  examples: string[];
  /** The answer is the exit code: 0 done, 1 something is wrong with the content, 2 the command was not understood. */
  run(args: string[], desk: Desk): Promise<number>;
};

export type Desk = {
  /** A line for people. */
  print(line: string): void;
  /** What the command found, for programs: shown only when asked for with --json, and then instead of all lines. */
  answer(found: unknown): void;
  /** Where the command was typed: files are named from there. */
  cwd: string;
  siteFolder: string;
  siteFiles: SiteSource[];
  /** Opened only when a command asks for it. */
  database(): Promise<Database>;
  fetch: SafeFetch;
};

/** How a command is set to work: what it needs, but for its ways to speak. */
export type Setting = Omit<Desk, "answer">;

export async function runCommand(commands: Command[], argv: string[], setting: Setting): Promise<number> {
  if (!argv.includes("--json")) return choose(commands, argv, { ...setting, answer() {} });
  const lines: string[] = [];
  let found: unknown;
  const exit = await choose(
    commands,
    argv.filter((word) => word !== "--json"),
    {
      ...setting,
      print: (line) => lines.push(line),
      answer(value) {
        found = value;
      },
    },
  );
  // A command that was not understood, or has nothing but words to say, is JSON too.
  setting.print(JSON.stringify(found === undefined ? { exit, lines } : found, null, 2));
  return exit;
}

async function choose(commands: Command[], argv: string[], desk: Desk): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    return help(commands, args[0], desk);
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) {
    desk.print(`There is no command "${name}".`);
    desk.print("");
    help(commands, undefined, desk);
    return 2;
  }
  if (args.includes("--help") || args.includes("-h")) return help(commands, name, desk);
  return command.run(args, desk);
}

function help(commands: Command[], name: string | undefined, desk: Desk): number {
  const command = commands.find((candidate) => candidate.name === name);
  if (command) {
    desk.print(`${command.summary}\n`);
    desk.print(`  npm run newsroom -- ${command.usage}\n`);
    desk.print("Examples:");
    for (const example of command.examples) desk.print(`  npm run newsroom -- ${example}`);
    return 0;
  }
  if (name !== undefined) {
    desk.print(`There is no command "${name}".\n`);
  }
  desk.print("The newsroom's desk.\n");
  desk.print("  npm run newsroom -- <command>\n");
  desk.print("Commands:");
  const width = Math.max(...commands.map((candidate) => candidate.usage.length), 14);
  for (const { usage, summary } of commands) desk.print(`  ${usage.padEnd(width)}  ${summary}`);
  desk.print(`  ${"help <command>".padEnd(width)}  Explains a command, with examples.`);
  desk.print(
    "\nWith --json any command answers for programs. Exit codes: 0 done, 1 something is wrong, 2 not understood.",
  );
  return name === undefined ? 0 : 2;
}
