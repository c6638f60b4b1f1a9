import { parseArgs } from "node:util";
import { findNearest } from "../../app/lib/text/nearest.ts";
import type {
  Argument,
  Command,
  CommandContext,
  Option,
  TypedArguments,
  TypedOptions,
  Verb,
} from "../../app/platform/command.ts";
import { fullVerbName, optionUsage, program, verbNames } from "./usage.ts";

type ParsedCommand<D extends CommandContext> =
  | {
      kind: "run";
      verb: Verb<D>;
      args: TypedArguments;
      options: TypedOptions;
    }
  /** The message is one sentence: what is wrong, and what the caller probably meant. */
  | { kind: "invalid"; message: string };

/** Options that every command has. They are read before the command itself is parsed. */
const globalOptions = ["json", "help"];

/**
 * Removes flags such as --json from the words that were typed. Words after "--" are never flags.
 */
export function extractFlags(
  argv: string[],
  flags: string[],
): { words: string[]; isPresent: boolean } {
  const end = argv.indexOf("--");
  const isFlag = (word: string, index: number) => (end < 0 || index < end) && flags.includes(word);
  return {
    words: argv.filter((word, index) => !isFlag(word, index)),
    isPresent: argv.some(isFlag),
  };
}

/**
 * Finds the verb that was typed, and converts its arguments and options to their declared types.
 */
export function parseCommand<D extends CommandContext>(
  command: Command<D>,
  words: string[],
): ParsedCommand<D> {
  const { positionals, options: typed } = readTokens(command, words);
  const match = findVerb(command, positionals);
  if (match.kind === "invalid") return match;
  const { name, verb, rest } = match;
  const { args, surplus } = readArguments(verb, rest);
  const bareFlags = surplus.filter((word) => isBareFlag(verb.options?.[word]));
  const unknown = surplus.find((word) => !bareFlags.includes(word));
  const options = readOptions(name, verb, [
    ...typed,
    ...bareFlags.map((flag) => ({ name: flag, word: `--${flag}`, value: undefined })),
  ]);
  if (typeof options === "string") return { kind: "invalid", message: options };
  const message =
    unknown === undefined
      ? describeMissing(name, verb, args, options)
      : describeSurplus(name, verb, unknown);
  return message === null ? { kind: "run", verb, args, options } : { kind: "invalid", message };
}

/**
 * Returns the verb that was typed, even if the rest of the command is wrong, or undefined if the
 * verb is unknown.
 */
export function findVerbName<D extends CommandContext>(
  command: Command<D>,
  words: string[],
): string | undefined {
  const match = findVerb(command, readTokens(command, words).positionals);
  return match.kind === "invalid" ? undefined : match.name;
}

type TypedOption = { name: string; word: string; value: string | undefined; isNextWord?: boolean };

/**
 * Splits the words into positional words and options. This works before the verb is known, because
 * an option has the same type in all verbs of a command.
 */
function readTokens<D extends CommandContext>(command: Command<D>, words: string[]) {
  const declared = Object.values(command.verbs).flatMap(({ options = {} }) =>
    Object.entries(options),
  );
  const { tokens } = parseArgs({
    args: words,
    options: Object.fromEntries(
      declared.map(
        ([name, { type }]) => [name, { type: type === "flag" ? "boolean" : "string" }] as const,
      ),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const positionals = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const options: TypedOption[] = tokens.flatMap((token) =>
    token.kind === "option"
      ? {
          name: token.name,
          // The option exactly as it was typed, so that a message about "-all" does not say "-a".
          word: (words[token.index] ?? token.rawName).replace(/=.*$/s, ""),
          value: token.value,
          isNextWord: token.value !== undefined && token.inlineValue === false,
        }
      : [],
  );
  return { positionals, options };
}

function findVerb<D extends CommandContext>(command: Command<D>, positionals: string[]) {
  const names = verbNames(command);
  const [typed, ...rest] = positionals;
  if (names.length === 0) {
    const [verb] = Object.values(command.verbs);
    if (!verb) throw new Error(`The command ${command.name} declares no verb.`);
    return { kind: "found" as const, name: command.name, verb, rest: positionals };
  }
  const invalid = (message: string) => ({ kind: "invalid" as const, message });
  if (typed === undefined)
    return invalid(
      names.length === 1
        ? `"${command.name}" needs a verb. Run "${program} ${fullVerbName(command, names[0] ?? "")}".`
        : `"${command.name}" needs a verb, one of: ${names.join(", ")}.`,
    );
  const verb = names.includes(typed) ? command.verbs[typed] : undefined;
  if (verb) return { kind: "found" as const, name: fullVerbName(command, typed), verb, rest };
  const suggestion = findNearest(typed, names);
  return invalid(
    suggestion === undefined
      ? `"${command.name}" has no verb "${typed}". Use one of: ${names.join(", ")}.`
      : `"${command.name}" has no verb "${typed}". Did you mean "${fullVerbName(command, suggestion)}"?`,
  );
}

function readArguments(verb: Pick<Verb, "arguments">, words: string[]) {
  const args: TypedArguments = {};
  let remaining = words;
  for (const [key, { repeated }] of Object.entries(verb.arguments ?? {})) {
    args[key] = repeated ? remaining : remaining[0];
    remaining = repeated ? [] : remaining.slice(1);
  }
  return { args, surplus: remaining };
}

/** Whether the option is a flag that also works without its dashes, as in `stories list all`. */
const isBareFlag = (option: Option | undefined) =>
  option?.type === "flag" && option.worksWithoutDashes === true;

/** Returns the values of all options, or a message about the first invalid one. */
function readOptions(
  name: string,
  verb: Pick<Verb, "options">,
  typed: TypedOption[],
): TypedOptions | string {
  const declared = new Map(Object.entries(verb.options ?? {}));
  const values: TypedOptions = {};
  for (const [key, option] of declared)
    values[key] =
      option.type === "flag" ? false : option.type === "string" && option.repeated ? [] : undefined;
  for (const typedOption of typed) {
    const { name: key, word } = typedOption;
    const option = word.startsWith("--") ? declared.get(key) : undefined;
    if (!option) return describeUnknownOption(name, word, [...declared.keys()]);
    if (option.type === "flag") {
      if (typedOption.value !== undefined) return `"--${key}" of "${name}" takes no value.`;
      values[key] = true;
      continue;
    }
    const result = readValue(name, typedOption, option);
    if ("message" in result) return result.message;
    const earlier = values[key];
    if (Array.isArray(earlier)) earlier.push(String(result.value));
    else if (earlier !== undefined) return `"${name}" accepts "--${key}" only once.`;
    else values[key] = result.value;
  }
  return values;
}

function describeUnknownOption(name: string, word: string, declared: string[]): string {
  const suggestion = findNearest(word.replace(/^-+/, ""), [...declared, ...globalOptions]);
  const message = `"${name}" has no option "${word}".`;
  return suggestion === undefined ? message : `${message} Did you mean "--${suggestion}"?`;
}

function readValue(
  name: string,
  { name: key, value, isNextWord }: TypedOption,
  option: Exclude<Option, { type: "flag" }>,
): { value: string | number } | { message: string } {
  const valueNeededMessage = `"--${key}" of "${name}" needs a value: ${optionUsage(key, option)}.`;
  if (value === undefined) return { message: valueNeededMessage };
  // The caller probably forgot the value, and the parser read the next option as the value.
  if (isNextWord && value.length > 1 && value.startsWith("-"))
    return { message: `${valueNeededMessage} If "${value}" is the value, type --${key}=${value}.` };
  if (option.type === "string") return { value };
  const { min, max, description } = option;
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= (max ?? Number.POSITIVE_INFINITY)) return { value: number };
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  return { message: `"--${key}" must be a whole number ${range}: ${description}.` };
}

function describeSurplus(
  name: string,
  verb: Pick<Verb, "arguments" | "options">,
  word: string,
): string {
  const expected = Object.keys(verb.arguments ?? {});
  const suggestion = findNearest(word, Object.keys(verb.options ?? {}));
  const message =
    expected.length === 0
      ? `"${name}" takes no arguments. Remove "${word}".`
      : `"${name}" takes one <${expected.join("> and one <")}> at a time. Remove "${word}".`;
  if (suggestion !== undefined) return `${message} Did you mean "--${suggestion}"?`;
  return expected.includes("file")
    ? `${message} If it is part of a name with spaces, put quotes around the name.`
    : message;
}

/** Returns a message about the first required argument or option that is missing, or null. */
function describeMissing(
  name: string,
  verb: Pick<Verb, "arguments" | "options">,
  args: TypedArguments,
  options: TypedOptions,
): string | null {
  const isMissing = (value: unknown) =>
    value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  for (const [key, argument] of Object.entries(verb.arguments ?? {}))
    if (isRequired(argument) && isMissing(args[key]))
      return `"${name}" needs <${key}>: ${argument.description}.`;
  for (const [key, option] of Object.entries(verb.options ?? {}))
    if (isRequired(option) && isMissing(options[key]))
      return `"${name}" needs ${optionUsage(key, option)}: ${option.description}.`;
  return null;
}

const isRequired = (declared: Argument | Option) =>
  "required" in declared && declared.required === true;
