import { parseArgs } from "node:util";
import { refuseCommand } from "../../app/lib/newsroom/command-error.ts";
import {
  type Argument,
  type Command,
  noVerb,
  type Option,
  type TypedValues,
  type Verb,
} from "../../app/platform/command.ts";
import { fullVerbName, globalOptions, optionUsage, program, suggest } from "./help.ts";

const suggestOption = (typed: string, names: string[]) =>
  suggest(typed, names, (name) => `--${name}`);

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

/** `city new` creates the first city, so it works where none exists. */
export function needsCity(argv: string[]): boolean {
  const [command, action] = argv.filter((word) => !word.startsWith("-"));
  return command !== "city" || action !== "new";
}

/**
 * Removes `--city annapolis` from the words that were typed, and returns the city. The command
 * `city` is an exception, because it has its own option of this name. Words after "--" are never
 * options.
 */
export function extractCity(argv: string[]): { words: string[]; city?: string } {
  const end = argv.indexOf("--");
  const before = end < 0 ? argv : argv.slice(0, end);
  const index = before.findIndex((word) => /^--city(=|$)/.test(word));
  const [typed = "", next = ""] = argv.slice(index);
  const command = before.slice(0, index).find((word) => !word.startsWith("-"));
  if (index < 0 || command === "city") return { words: argv };
  return typed === "--city"
    ? { words: argv.toSpliced(index, 2), city: next }
    : { words: argv.toSpliced(index, 1), city: typed.slice("--city=".length) };
}

/**
 * Finds the verb that was typed, and converts its arguments and options to their declared types.
 */
export function parseCommand(
  command: Command,
  words: string[],
): { verb: Verb; values: TypedValues } {
  const { positionals, options } = readTokens(command, words);
  const found = findVerb(command, positionals);
  if (!found) refuseCommand(describeUnknownVerb(command, positionals[0]));
  const { name, verb } = found;
  const { values, surplus } = readArguments(verb, found.words);
  Object.assign(values, readOptions(name, verb, options));
  const [unknown] = surplus;
  if (unknown !== undefined) refuseCommand(describeSurplus(name, verb, unknown));
  requireValues(name, verb, values);
  return { verb, values };
}

/**
 * Returns the command with the verb that was typed, such as "stories approve", even if the rest is
 * wrong, or undefined if the verb is unknown.
 */
export const findVerbName = (command: Command, words: string[]): string | undefined =>
  findVerb(command, readTokens(command, words).positionals)?.name;

type TypedOption = { name: string; word: string; value?: string | undefined; inline?: boolean };

/**
 * Splits the words into positional words and options. This works before the verb is known, because
 * an option has the same type in all verbs of a command.
 */
function readTokens(command: Command, words: string[]) {
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
  const positionals: string[] = [];
  const options: TypedOption[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    // The option exactly as it was typed, so that a message about "-all" does not say "-a".
    const word = (words[token.index] ?? token.rawName).replace(/=.*$/s, "");
    options.push({ name: token.name, word, value: token.value, inline: !!token.inlineValue });
  }
  return { positionals, options };
}

function findVerb(command: Command, positionals: string[]) {
  const [typed = "", ...words] = positionals;
  const verb = Object.hasOwn(command.verbs, typed) ? command.verbs[typed] : undefined;
  if (verb && typed !== noVerb) return { name: fullVerbName(command, typed), verb, words };
  const unnamed = command.verbs[noVerb];
  return unnamed && { name: command.name, verb: unnamed, words: positionals };
}

function describeUnknownVerb(command: Command, typed: string | undefined): string {
  const names = Object.keys(command.verbs);
  const list = `one of: ${names.join(", ")}.`;
  if (typed !== undefined) {
    const suggestion = suggest(typed, names, (name) => fullVerbName(command, name));
    return `"${command.name}" has no verb "${typed}".${suggestion || ` Use ${list}`}`;
  }
  const [first = "", ...others] = names;
  return others.length > 0
    ? `"${command.name}" needs a verb, ${list}`
    : `"${command.name}" needs a verb. Run "${program} ${fullVerbName(command, first)}".`;
}

function readArguments(verb: Pick<Verb, "arguments">, words: string[]) {
  const values: TypedValues = {};
  let surplus = words;
  for (const [key, { repeated }] of Object.entries(verb.arguments ?? {})) {
    values[key] = repeated ? surplus : surplus[0];
    surplus = repeated ? [] : surplus.slice(1);
  }
  return { values, surplus };
}

function readOptions(
  name: string,
  { options = {} }: Pick<Verb, "options">,
  typed: TypedOption[],
): TypedValues {
  const values: TypedValues = {};
  for (const [key, option] of Object.entries(options))
    values[key] =
      option.type === "flag" ? false : option.type === "string" && option.repeated ? [] : undefined;
  for (const { name: key, word, value, inline } of typed) {
    const option = word.startsWith("--") && Object.hasOwn(options, key) ? options[key] : undefined;
    if (!option)
      refuseCommand(
        `"${name}" has no option "${word}".${suggestOption(word.replace(/^-+/, ""), [...Object.keys(options), ...Object.keys(globalOptions)])}`,
      );
    if (option.type === "flag") {
      if (value !== undefined) refuseCommand(`"--${key}" of "${name}" takes no value.`);
      values[key] = true;
      continue;
    }
    const needsValue = `"--${key}" of "${name}" needs a value: ${optionUsage(key, option)}.`;
    if (value === undefined) refuseCommand(needsValue);
    // The caller probably forgot the value, and the parser read the next option as the value. A
    // negative number is not an option.
    if (!inline && /^-(?![\d.]*$)/.test(value))
      refuseCommand(`${needsValue} If "${value}" is the value, type --${key}=${value}.`);
    const earlier = values[key];
    if (Array.isArray(earlier)) earlier.push(value);
    else if (earlier !== undefined) refuseCommand(`"${name}" accepts "--${key}" only once.`);
    else values[key] = option.type === "string" ? value : readInteger(key, option, value);
  }
  return values;
}

function readInteger(
  key: string,
  { min, max, description }: Extract<Option, { type: "integer" }>,
  value: string,
): number {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= (max ?? Number.POSITIVE_INFINITY)) return number;
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  refuseCommand(`"--${key}" must be a whole number ${range}: ${description}.`);
}

function describeSurplus(
  name: string,
  verb: Pick<Verb, "arguments" | "options">,
  word: string,
): string {
  const expected = Object.keys(verb.arguments ?? {});
  const message =
    expected.length === 0
      ? `"${name}" takes no arguments. Remove "${word}".`
      : `"${name}" takes one <${expected.join("> and one <")}> at a time. Remove "${word}".`;
  const quotesAdvice = expected.includes("file")
    ? " If it is part of a name with spaces, put quotes around the name."
    : "";
  return message + (suggestOption(word, Object.keys(verb.options ?? {})) || quotesAdvice);
}

function requireValues(
  name: string,
  { arguments: args = {}, options = {} }: Pick<Verb, "arguments" | "options">,
  values: TypedValues,
): void {
  const require = (key: string, declared: Argument | Option, usage: string) => {
    const isMissing = values[key] === undefined || String(values[key]) === "";
    if (isMissing && "required" in declared && declared.required)
      refuseCommand(`"${name}" needs ${usage}: ${declared.description}.`);
  };
  for (const [key, argument] of Object.entries(args)) require(key, argument, `<${key}>`);
  for (const [key, option] of Object.entries(options))
    require(key, option, optionUsage(key, option));
}
