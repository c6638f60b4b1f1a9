import { nearest } from "../../app/lib/text/nearest.ts";
import type { Command, Desk } from "./commands.ts";

/** How the newsroom calls its program. */
const program = "./newsroom";

/** The list of commands in the order of a newsroom's day. One that is not named here comes last. */
const tasks = [
  { title: "What readers sent", names: ["messages", "stories", "events"] },
  { title: "What readers see", names: ["validate", "blog", "feeds", "links", "purge"] },
  { title: "The newsletter", names: ["subscribers", "digest", "mail"] },
  { title: "What readers look for", names: ["report"] },
  { title: "Keeping it well", names: ["doctor", "backup", "restore"] },
];

export const askForHelp = (name: string): string => `"${program} help ${name}" has examples.`;

/** All commands, or one of them closely. A name that nobody knows is answered with the nearest. */
export function help(commands: Command[], name: string | undefined, desk: Desk): number {
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return explain(command, desk);
  if (name === undefined) return list(commands, desk);
  const meant = nearest(
    name,
    commands.map((candidate) => candidate.name),
  );
  desk.print(`There is no command "${name}".${meant === undefined ? "" : ` Did you mean "${meant}"?`}`);
  desk.print(`"${program} help" lists all commands.`);
  return 2;
}

function explain({ name, summary, usage, examples }: Command, desk: Desk): number {
  desk.answer({ name, summary, usage, examples });
  desk.print(`${summary}\n`);
  desk.print(`  ${program} ${usage}\n`);
  desk.print("Examples:");
  for (const example of examples) desk.print(`  ${program} ${example}`);
  return 0;
}

function list(commands: Command[], desk: Desk): number {
  desk.answer(commands.map(({ name, summary, usage, examples }) => ({ name, summary, usage, examples })));
  const known = new Set(tasks.flatMap(({ names }) => names));
  const others = commands.map(({ name }) => name).filter((name) => !known.has(name));
  desk.print(`The newsroom's desk: ${program} <command>`);
  for (const { title, names } of [...tasks, { title: "More", names: others }]) {
    const found = names.flatMap((name) => commands.filter((command) => command.name === name));
    if (found.length === 0) continue;
    desk.print("");
    desk.print(`${title}:`);
    for (const { name, summary } of found) desk.print(`  ${name.padEnd(11)}  ${summary}`);
  }
  desk.print("");
  desk.print(`"${program} help <command>" shows how to use one, with examples.`);
  desk.print("With --json any command answers for programs. --version tells which Harborline this is.");
  desk.print("Exit codes: 0 done, 1 something is wrong, 2 not understood.");
  return 0;
}

/** The second words of its examples, such as "list" and "approve". */
export function verbsOf({ examples }: Command): string[] {
  const seconds = examples.flatMap((example) => example.split(" ").slice(1, 2));
  return [...new Set(seconds.filter((word) => /^[a-z]+$/.test(word)))];
}
