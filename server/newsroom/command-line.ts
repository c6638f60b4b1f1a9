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
import { fullVerbName, optionUsage, verbNames } from "./usage.ts";

type ParsedCommand<D extends CommandContext> =
  | {
      kind: "run";
      verb: Verb<D>;
      args: TypedArguments;
      options: TypedOptions;
    }
  /** One sentence that says what is wrong, and what was probably meant. */
  | { kind: "unclear"; says: string };

/** Options that every command has; they are read before the command is. */
const globalOptions = ["json", "help"];

/** Takes words such as --json out of what was typed. Behind "--" there are no options. */
export function extractFlags(
  argv: string[],
  flags: string[],
): { words: string[]; isGiven: boolean } {
  const end = argv.indexOf("--");
  const isFlag = (word: string, index: number) => (end < 0 || index < end) && flags.includes(word);
  return { words: argv.filter((word, index) => !isFlag(word, index)), isGiven: argv.some(isFlag) };
}

/**
 * Finds the verb that was typed, and gives its arguments and options the types of their
 * declarations.
 */
export function parseCommand<D extends CommandContext>(
  command: Command<D>,
  words: string[],
): ParsedCommand<D> {
  const { positionals, options: typed } = readTokens(command, words);
  const found = findVerb(command, positionals);
  if ("says" in found) return found;
  const { name, verb, rest } = found;
  const { args, surplus } = readArguments(verb, rest);
  const bare = surplus.filter((word) => isBareFlag(verb.options?.[word]));
  const wrong = surplus.find((word) => !bare.includes(word));
  const options = readOptions(name, verb, [
    ...typed,
    ...bare.map((flag) => ({ name: flag, word: `--${flag}`, value: undefined })),
  ]);
  if (typeof options === "string") return { kind: "unclear", says: options };
  const says =
    wrong === undefined ? missingText(name, verb, args, options) : surplusText(name, verb, wrong);
  return says === null ? { kind: "run", verb, args, options } : { kind: "unclear", says };
}

/**
 * The verb that was typed, also where the rest of the command is wrong. Undefined where there is no
 * such verb.
 */
export function findVerbName<D extends CommandContext>(
  command: Command<D>,
  words: string[],
): string | undefined {
  const found = findVerb(command, readTokens(command, words).positionals);
  return "says" in found ? undefined : found.name;
}

type TypedOption = { name: string; word: string; value: string | undefined; isNextWord?: boolean };

/**
 * Splits the words. Which options take a value is known without the verb: an option has one type in
 * a command.
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
          // As it was typed, so that "-all" is not called "-a".
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
    return { name: command.name, verb, rest: positionals };
  }
  const unclear = (says: string) => ({ kind: "unclear" as const, says });
  if (typed === undefined)
    return unclear(
      names.length === 1
        ? `"${command.name}" alone does nothing. Type "${fullVerbName(command, names[0] ?? "")}".`
        : `"${command.name}" needs one of these words after it: ${names.join(", ")}.`,
    );
  const verb = names.includes(typed) ? command.verbs[typed] : undefined;
  if (verb) return { name: fullVerbName(command, typed), verb, rest };
  const meant = findNearest(typed, names);
  return unclear(
    meant === undefined
      ? `"${command.name}" has no "${typed}", only ${names.join(", ")}.`
      : `"${command.name}" has no "${typed}". Did you mean "${fullVerbName(command, meant)}"?`,
  );
}

function readArguments(verb: Pick<Verb, "arguments">, words: string[]) {
  const args: TypedArguments = {};
  let left = words;
  for (const [key, { repeated }] of Object.entries(verb.arguments ?? {})) {
    args[key] = repeated ? left : left[0];
    left = repeated ? [] : left.slice(1);
  }
  return { args, surplus: left };
}

const isBareFlag = (option: Option | undefined) =>
  option?.type === "flag" && option.isBareWord === true;

/** The values of all options, or a sentence about the first that is wrong. */
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
  for (const given of typed) {
    const { name: key, word } = given;
    const option = word.startsWith("--") ? declared.get(key) : undefined;
    if (!option) return unknownOptionText(name, word, [...declared.keys()]);
    if (option.type === "flag") {
      if (given.value !== undefined) return `"--${key}" of "${name}" takes no value.`;
      values[key] = true;
      continue;
    }
    const value = readValue(name, given, option);
    if ("says" in value) return value.says;
    const before = values[key];
    if (Array.isArray(before)) before.push(String(value.is));
    else if (before !== undefined) return `"${name}" takes "--${key}" only once.`;
    else values[key] = value.is;
  }
  return values;
}

function unknownOptionText(name: string, word: string, declared: string[]): string {
  const meant = findNearest(word.replace(/^-+/, ""), [...declared, ...globalOptions]);
  const says = `"${name}" has no option "${word}".`;
  return meant === undefined ? says : `${says} Did you mean "--${meant}"?`;
}

function readValue(
  name: string,
  { name: key, value, isNextWord }: TypedOption,
  option: Exclude<Option, { type: "flag" }>,
): { is: string | number } | { says: string } {
  const needed = `"--${key}" of "${name}" needs a value: ${optionUsage(key, option)}.`;
  if (value === undefined) return { says: needed };
  // The next option was probably typed too early.
  if (isNextWord && value.length > 1 && value.startsWith("-"))
    return { says: `${needed} If "${value}" is the value, type --${key}=${value}.` };
  if (option.type === "string") return { is: value };
  const { min, max, description } = option;
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= (max ?? Number.POSITIVE_INFINITY)) return { is: number };
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  return { says: `"--${key}" must be a whole number ${range}: ${description}.` };
}

function surplusText(
  name: string,
  verb: Pick<Verb, "arguments" | "options">,
  word: string,
): string {
  const takes = Object.keys(verb.arguments ?? {});
  const meant = findNearest(word, Object.keys(verb.options ?? {}));
  const says =
    takes.length === 0
      ? `"${name}" takes no arguments, so "${word}" was not understood.`
      : `"${name}" takes only one <${takes.join("> and one <")}>, and "${word}" is one too many.`;
  if (meant !== undefined) return `${says} Did you mean "--${meant}"?`;
  return takes.length === 0 ? says : `${says} A name with spaces in it needs quotes.`;
}

/** What is required and was not typed; null if nothing is missing. */
function missingText(
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
