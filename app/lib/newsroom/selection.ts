import { CommandError } from "./command-error.ts";

/** The option of a verb that lists only what needs a decision, unless everything is asked for. */
export const listAllOption = (description: string) =>
  ({ all: { type: "flag", description } }) as const;

type Printer = {
  print(line: string): void;
  result(value: unknown): void;
};

/** The records of which an editor picks some by their ids, and how messages describe them. */
export type Candidates<T> = {
  noun: string;
  listCommand: string;
  label(record: T): string;
  shorten(id: string): string;
  find(typed: string): Promise<T[]>;
  /** Returns what to print if nothing is found, or null if the editor cannot mean something else. */
  explainMissing?(typed: string): Promise<string | null>;
};

export const formatCandidate = <T extends { id: string }>(record: T, candidates: Candidates<T>) =>
  `  ${candidates.shorten(record.id)}  ${candidates.label(record)}`;

/**
 * Returns the records with the ids that an editor typed. If one of them is not found, the command
 * ends with the reasons; `note` follows them if there are several ids.
 */
export async function pickAll<T extends { id: string }>(
  typed: string[],
  candidates: Candidates<T>,
  note?: string,
): Promise<T[]> {
  const records = new Map<string, T>();
  const messages: string[] = [];
  let isAmbiguous = false;
  for (const each of typed) {
    const matches = await candidates.find(each);
    const [first] = matches;
    if (!first) messages.push(await describeMissing(each, candidates));
    else if (matches.length === 1) records.set(first.id, first);
    else {
      messages.push(describeSeveral(each, matches, candidates));
      isAmbiguous = true;
    }
  }
  if (messages.length === 0) return [...records.values()];
  if (typed.length > 1 && note !== undefined) messages.push(note);
  throw new CommandError(messages.join("\n"), isAmbiguous ? 2 : 1);
}

/** With fewer characters, a number in a list or a mistyped word would be somebody's id. */
export const minIdLength = 4;
/** Whether a string can be the beginning of an id. It is safe in a pattern of the database. */
export const isIdPrefix = (typed: string) =>
  typed.length >= minIdLength && /^[0-9a-f-]{1,36}$/i.test(typed);
/** Finds records by the beginning of their ids. */
export const findByIdStart = <T extends { id: string }>(records: T[], typed: string): T[] =>
  records.filter(
    ({ id }) => typed.length >= minIdLength && id.toLowerCase().startsWith(typed.toLowerCase()),
  );
export const shortIdHint = (typed: string) =>
  typed.length < minIdLength ? `Type at least ${minIdLength} characters of an id. ` : "";

const describeMissing = async <T>(
  typed: string,
  { noun, listCommand, explainMissing }: Candidates<T>,
) =>
  (await explainMissing?.(typed)) ??
  `✗ There is no ${noun} "${typed}". ${shortIdHint(typed)}Run "./newsroom ${listCommand}" to see them all.`;

const maxCandidates = 10;

function describeSeveral<T extends { id: string }>(
  typed: string,
  matches: T[],
  candidates: Candidates<T>,
): string {
  const unlisted = matches.length - maxCandidates;
  return [
    `"${typed}" matches ${matches.length} ids. Type more characters of the one you mean:`,
    ...matches.slice(0, maxCandidates).map((match) => formatCandidate(match, candidates)),
    ...(unlisted > 0
      ? [`  … and ${unlisted} more. Run "./newsroom ${candidates.listCommand}" to see them all.`]
      : []),
  ].join("\n");
}

/**
 * Runs a command for each argument, one after the other, and returns the highest exit code. One
 * argument that fails does not stop the others.
 */
export async function forEach<C extends Printer>(
  context: C,
  args: string[],
  run: (context: C, arg: string) => Promise<number | undefined>,
): Promise<number> {
  const results: unknown[] = [];
  let exit = 0;
  for (const arg of new Set(args)) {
    const result = (value: unknown) => results.push(value);
    const code = await run({ ...context, result }, arg).catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      context.print(error.message);
      return error.exit;
    });
    exit = Math.max(exit, code ?? 0);
  }
  if (results.length > 0) context.result(oneOrMany(results));
  return exit;
}

/** One result for programs if the editor chose one record, otherwise a list. */
export const oneOrMany = <T>(results: T[]): T | T[] | undefined =>
  results.length === 1 ? results[0] : results;
