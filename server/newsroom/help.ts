import { nearest } from "../../app/lib/text/nearest.ts";
import { type Command, type Desk, tasks, type Verb } from "../../app/platform/command.ts";
import { commandUsage, nameOf, optionUsage, verbUsage } from "./usage.ts";

/** How the newsroom calls its program. */
const program = "./newsroom";

export const askForHelp = (name: string): string => `"${program} help ${name}" has examples.`;

/** Prints all commands, or one in detail. For an unknown name it suggests the nearest one. */
export function help<D extends Desk>(commands: Command<D>[], name: string | undefined, desk: Desk): number {
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

const forPrograms = <D extends Desk>(command: Command<D>) => ({
  name: command.name,
  summary: command.summary,
  usage: commandUsage(command),
  examples: command.examples,
});

function explain<D extends Desk>(command: Command<D>, desk: Desk): number {
  desk.answer(forPrograms(command));
  desk.print(command.summary);
  for (const [name, verb] of Object.entries(command.verbs)) explainVerb(nameOf(command, name), verb, desk);
  desk.print("\nExamples:");
  for (const example of command.examples) desk.print(`  ${program} ${example}`);
  return 0;
}

function explainVerb<D extends Desk>(name: string, verb: Verb<D>, desk: Desk): void {
  desk.print(`\n  ${program} ${[name, verbUsage(verb)].filter((part) => part !== "").join(" ")}`);
  if (verb.summary !== undefined) desk.print(`      ${verb.summary}`);
  const rows = [
    ...Object.entries(verb.arguments ?? {}).map(([key, { description }]) => [`<${key}>`, description]),
    ...Object.entries(verb.options ?? {}).map(([key, option]) => [
      optionUsage(key, option),
      option.description,
    ]),
  ];
  const width = Math.max(...rows.map(([usage = ""]) => usage.length));
  for (const [usage = "", description] of rows) desk.print(`      ${usage.padEnd(width)}  ${description}`);
}

function list<D extends Desk>(commands: Command<D>[], desk: Desk): number {
  desk.answer(commands.map(forPrograms));
  desk.print(`The newsroom's desk: ${program} <command>`);
  for (const task of tasks) {
    const found = commands.filter((command) => command.task === task);
    if (found.length === 0) continue;
    desk.print("");
    desk.print(`${task}:`);
    for (const { name, summary } of found) desk.print(`  ${name.padEnd(11)}  ${summary}`);
  }
  desk.print("");
  desk.print(`"${program} help <command>" shows how to use one, with examples.`);
  desk.print("With --json any command answers for programs. --version tells which Harborline this is.");
  desk.print("Exit codes: 0 done, 1 something is wrong, 2 not understood.");
  return 0;
}
