import {
  type Argument,
  type Command,
  type CommandContext,
  noVerb,
  type Option,
  type Verb,
} from "../../app/platform/command.ts";

/** How editors start the program, as shown in help and messages. */
export const program = "./newsroom";

/** The names of a command's verbs; empty for a command without verbs. */
export const verbNames = <D extends CommandContext>({ verbs }: Command<D>): string[] =>
  Object.keys(verbs).filter((name) => name !== noVerb);

/** "stories show", or "backup" for a command without verbs. */
export const fullVerbName = <D extends CommandContext>(
  { name }: Command<D>,
  verb: string,
): string => (verb === noVerb ? name : `${name} ${verb}`);

/** "--to <folder>", "--all". */
export const optionUsage = (name: string, option: Option): string =>
  option.type === "flag" ? `--${name}` : `--${name} <${option.value}>`;

/** "<id> [--to <folder>]": the arguments and options that can follow the verb. */
export function verbUsage<D extends CommandContext>(verb: Verb<D>): string {
  const args = Object.entries(verb.arguments ?? {}).map(([name, argument]) =>
    argumentUsage(name, argument),
  );
  const options = Object.entries(verb.options ?? {}).map(([name, option]) => {
    const usage = optionUsage(name, option);
    if (option.type !== "string") return `[${usage}]`;
    return (option.required ? usage : `[${usage}]`) + (option.repeated ? " …" : "");
  });
  return [...args, ...options].join(" ");
}

const argumentUsage = (name: string, { required, repeated }: Argument) =>
  (required ? `<${name}>` : `[${name}]`) + (repeated ? " …" : "");

/** "stories list [--all] | show <id> [--to <folder>]": the full command on one line. */
export const commandUsage = <D extends CommandContext>(command: Command<D>): string =>
  [
    command.name,
    Object.entries(command.verbs)
      .map(([name, verb]) => [name, verbUsage(verb)].filter((part) => part !== "").join(" "))
      .join(" | "),
  ]
    .filter((part) => part !== "")
    .join(" ");
