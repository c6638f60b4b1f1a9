import { findNearest } from "../../app/lib/text/nearest.ts";
import {
  type Command,
  type CommandContext,
  helpGroups,
  type Verb,
} from "../../app/platform/command.ts";
import { commandUsage, fullVerbName, optionUsage, program, verbUsage } from "./usage.ts";

export const findCommand = <D extends CommandContext>(
  commands: Command<D>[],
  name: string | undefined,
): Command<D> | undefined => commands.find((command) => command.name === name);

export const helpHint = (name: string): string => `Run "${program} help ${name}" for examples.`;

/**
 * Prints the list of commands, or one command in detail. Suggests a similar name for an unknown
 * command.
 */
export function printHelp<D extends CommandContext>(
  commands: Command<D>[],
  name: string | undefined,
  context: CommandContext,
): number {
  const command = findCommand(commands, name);
  if (command) return printCommandHelp(command, context);
  if (name === undefined || name === "help") return printCommandList(commands, context);
  const suggestion = findNearest(
    name,
    commands.map((candidate) => candidate.name),
  );
  context.print(
    `Unknown command "${name}".${suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`}`,
  );
  context.print(`Run "${program} help" for a list of commands.`);
  return 2;
}

const toJson = <D extends CommandContext>(command: Command<D>) => ({
  name: command.name,
  summary: command.summary,
  usage: commandUsage(command),
  examples: command.examples,
});

function printCommandHelp<D extends CommandContext>(
  command: Command<D>,
  context: CommandContext,
): number {
  context.result(toJson(command));
  context.print(command.summary);
  for (const [name, verb] of Object.entries(command.verbs))
    printVerbHelp(fullVerbName(command, name), verb, context);
  context.print("\nExamples:");
  for (const example of command.examples) context.print(`  ${program} ${example}`);
  return 0;
}

function printVerbHelp<D extends CommandContext>(
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

function printCommandList<D extends CommandContext>(
  commands: Command<D>[],
  context: CommandContext,
): number {
  context.result(commands.map(toJson));
  context.print(`Manage a Harborline site from the command line.`);
  context.print("");
  context.print("Usage:");
  context.print(`  ${program} <command> [verb] [arguments] [options]`);
  for (const group of helpGroups) {
    const listed = commands.filter((command) => command.group === group);
    if (listed.length === 0) continue;
    context.print("");
    context.print(`${group}:`);
    for (const { name, summary } of listed) context.print(`  ${name.padEnd(11)}  ${summary}`);
  }
  context.print("");
  context.print("Options:");
  context.print("  --json          Print the result as JSON.");
  context.print("  --help          Show how to use a command.");
  context.print("  --version       Show the version of Harborline.");
  context.print("  --new-database  Create an empty database if the data folder has none.");
  context.print("");
  context.print("Exit codes: 0 success, 1 failure, 2 invalid command.");
  context.print(`Run "${program} help <command>" for details and examples.`);
  return 0;
}
