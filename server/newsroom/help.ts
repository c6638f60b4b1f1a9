import { refuseCommand } from "../../app/lib/newsroom/command-error.ts";
import { findNearest } from "../../app/lib/text/nearest.ts";
import {
  type Argument,
  type Command,
  type CommandContext,
  helpGroups,
  noVerb,
  type Option,
  type Verb,
} from "../../app/platform/command.ts";

/** How editors start the program, as shown in help and messages. */
export const program = "./newsroom";

/**
 * Options that every command has. They are removed before the command itself is parsed: `--json` by
 * `runWithJson`, `--city` and `--new-database` by cli/newsroom.ts, and `--help` by `runCommand`.
 */
export const globalOptions = {
  json: "Print the result as JSON.",
  city: "Use this city, such as --city annapolis, instead of the default one.",
  help: "Show how to use a command.",
  "new-database": "Create an empty database if the data folder has none.",
};

/**
 * Returns " Did you mean …?", or nothing if no name is similar to what was typed. "story" also
 * means "stories".
 */
export function suggest(typed: string, names: string[], format = (name: string) => name): string {
  const isPlural = (name: string) => typed.length > 3 && name.startsWith(typed.slice(0, -1));
  const nearest = findNearest(typed, names) ?? names.find(isPlural);
  return nearest === undefined ? "" : ` Did you mean "${format(nearest)}"?`;
}

const joinWords = (...words: string[]) => words.filter((word) => word !== "").join(" ");

/** "stories show", or "backup" for a command without verbs. */
export const fullVerbName = ({ name }: Pick<Command, "name">, verb: string): string =>
  verb === noVerb ? name : `${name} ${verb}`;

/** "--to <folder>", "--all". */
export const optionUsage = (name: string, option: Option): string =>
  option.type === "flag" ? `--${name}` : `--${name} <${option.value}>`;

const argumentUsage = (name: string, { required, repeated }: Argument) =>
  (required ? `<${name}>` : `[${name}]`) + (repeated ? " …" : "");

/** "show <id> [--to <folder>]": a verb with the arguments and options that can follow it. */
function verbUsage(name: string, { arguments: args = {}, options = {} }: Verb): string {
  return joinWords(
    name,
    ...Object.entries(args).map(([key, argument]) => argumentUsage(key, argument)),
    ...Object.entries(options).map(([key, option]) => {
      const usage = optionUsage(key, option);
      if (option.type !== "string") return `[${usage}]`;
      return (option.required ? usage : `[${usage}]`) + (option.repeated ? " …" : "");
    }),
  );
}

/** "stories list [--all] | show <id> [--to <folder>]": the full command on one line. */
const commandUsage = ({ name, verbs }: Command): string =>
  joinWords(
    name,
    Object.entries(verbs)
      .map(([key, verb]) => verbUsage(key, verb))
      .join(" | "),
  );

export function printHelp(
  commands: Command[],
  name: string | undefined,
  context: CommandContext,
): void {
  const command = commands.find((each) => each.name === name);
  if (!command && name !== undefined && name !== "help") {
    const names = commands.map((each) => each.name);
    refuseCommand(
      `Unknown command "${name}".${suggest(name, names)}\nRun "${program} help" for a list of commands.`,
    );
  }
  context.result(command ? toJson(command) : commands.map(toJson));
  for (const line of command ? commandHelp(command) : listHelp(commands)) context.print(line);
}

const toJson = (command: Command) => ({
  name: command.name,
  summary: command.summary,
  usage: commandUsage(command),
  examples: command.examples,
});

const commandHelp = (command: Command): string[] => [
  command.summary,
  ...Object.entries(command.verbs).flatMap(([name, verb]) =>
    verbHelp(fullVerbName(command, name), verb),
  ),
  "\nExamples:",
  ...command.examples.map((example) => `  ${program} ${example}`),
];

function verbHelp(name: string, verb: Verb): string[] {
  const { summary, arguments: args = {}, options = {} } = verb;
  const rows = [
    ...Object.entries(args).map(([key, { description }]) => [`<${key}>`, description]),
    ...Object.entries(options).map(([key, option]) => [
      optionUsage(key, option),
      option.description,
    ]),
  ];
  const width = Math.max(...rows.map(([usage = ""]) => usage.length));
  return [
    `\n  ${program} ${verbUsage(name, verb)}`,
    ...(summary === undefined ? [] : [`      ${summary}`]),
    ...rows.map(([usage = "", description]) => `      ${usage.padEnd(width)}  ${description}`),
  ];
}

const listHelp = (commands: Command[]): string[] => [
  "Manage a Harborline site from the command line.",
  "",
  "Usage:",
  `  ${program} <command> [verb] [arguments] [options]`,
  ...helpGroups.flatMap((group) => {
    const listed = commands.filter((command) => command.group === group);
    const lines = listed.map(({ name, summary }) => `  ${name.padEnd(11)}  ${summary}`);
    return lines.length === 0 ? [] : ["", `${group}:`, ...lines];
  }),
  "",
  "Options:",
  ...Object.entries({ ...globalOptions, version: "Show the version of Harborline." }).map(
    ([name, summary]) => `  ${`--${name}`.padEnd(14)}  ${summary}`,
  ),
  "",
  "Exit codes: 0 success, 1 failure, 2 invalid command.",
  `Run "${program} help <command>" for details and examples.`,
];
