import { findNearest } from "../../app/lib/text/nearest.ts";
import {
  type Command,
  type CommandContext,
  helpGroups,
  type Verb,
} from "../../app/platform/command.ts";
import { commandUsage, fullVerbName, optionUsage, verbUsage } from "./usage.ts";

/** How the newsroom calls its program. */
const program = "./newsroom";

export const helpHint = (name: string): string => `"${program} help ${name}" has examples.`;

/** Prints all commands, or one in detail. For an unknown name it suggests the nearest one. */
export function help<D extends CommandContext>(
  commands: Command<D>[],
  name: string | undefined,
  context: CommandContext,
): number {
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return explain(command, context);
  if (name === undefined) return list(commands, context);
  const meant = findNearest(
    name,
    commands.map((candidate) => candidate.name),
  );
  context.print(
    `There is no command "${name}".${meant === undefined ? "" : ` Did you mean "${meant}"?`}`,
  );
  context.print(`"${program} help" lists all commands.`);
  return 2;
}

const forPrograms = <D extends CommandContext>(command: Command<D>) => ({
  name: command.name,
  summary: command.summary,
  usage: commandUsage(command),
  examples: command.examples,
});

function explain<D extends CommandContext>(command: Command<D>, context: CommandContext): number {
  context.result(forPrograms(command));
  context.print(command.summary);
  for (const [name, verb] of Object.entries(command.verbs))
    explainVerb(fullVerbName(command, name), verb, context);
  context.print("\nExamples:");
  for (const example of command.examples) context.print(`  ${program} ${example}`);
  return 0;
}

function explainVerb<D extends CommandContext>(
  name: string,
  verb: Verb<D>,
  context: CommandContext,
): void {
  context.print(
    `\n  ${program} ${[name, verbUsage(verb)].filter((part) => part !== "").join(" ")}`,
  );
  if (verb.summary !== undefined) context.print(`      ${verb.summary}`);
  const rows = [
    ...Object.entries(verb.arguments ?? {}).map(([key, { description }]) => [
      `<${key}>`,
      description,
    ]),
    ...Object.entries(verb.options ?? {}).map(([key, option]) => [
      optionUsage(key, option),
      option.description,
    ]),
  ];
  const width = Math.max(...rows.map(([usage = ""]) => usage.length));
  for (const [usage = "", description] of rows)
    context.print(`      ${usage.padEnd(width)}  ${description}`);
}

function list<D extends CommandContext>(commands: Command<D>[], context: CommandContext): number {
  context.result(commands.map(forPrograms));
  context.print(`The newsroom's context: ${program} <command>`);
  for (const group of helpGroups) {
    const found = commands.filter((command) => command.group === group);
    if (found.length === 0) continue;
    context.print("");
    context.print(`${group}:`);
    for (const { name, summary } of found) context.print(`  ${name.padEnd(11)}  ${summary}`);
  }
  context.print("");
  context.print(`"${program} help <command>" shows how to use one, with examples.`);
  context.print(
    "With --json any command answers for programs. --version tells which Harborline this is.",
  );
  context.print("Exit codes: 0 done, 1 something is wrong, 2 not understood.");
  return 0;
}
