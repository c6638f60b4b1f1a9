import { CommandError, fail, refuseCommand } from "./command-error.ts";
import { formatCount } from "./printing.ts";

/** The option of a verb that lists only what needs a decision, unless everything is asked for. */
export const listAllOption = (description: string) =>
  ({ all: { type: "flag", description } }) as const;

/** The options of a verb that decides about several submissions. */
export const selectionOptions = {
  all: { type: "flag", description: "all that are waiting, instead of ids; asks first" },
  yes: { type: "flag", description: "with --all: do not ask, for scripts" },
} as const;

type SelectionContext = {
  print(line: string): void;
  result(value: unknown): void;
  confirm: ((question: string) => Promise<boolean>) | null;
};

/** The records of which an editor picks some by their ids, and how messages describe them. */
type Candidates<T> = {
  noun: string;
  listCommand: string;
  label(record: T): string;
  shorten(id: string): string;
  find(typed: string): Promise<T[]>;
  /** Returns what to print if nothing is found, or null if the editor cannot mean something else. */
  explainMissing?(typed: string): Promise<string | null>;
};

export type SubmissionCandidates<T> = Candidates<T> & {
  nouns: string;
  listWaiting(): Promise<T[]>;
};

/**
 * Finds the submissions that an editor chose by their ids or with --all. If one of the ids is not
 * found, the command ends. Returns nothing if there is nothing to do. `describeAction` says what
 * happens to "3 stories", such as "reject 3 stories".
 */
export async function selectSubmissions<T extends { id: string }>(
  context: SelectionContext,
  name: string,
  { id: typed, all, yes }: { id: string[]; all: boolean; yes: boolean },
  candidates: SubmissionCandidates<T>,
  describeAction: (count: string) => string,
): Promise<T[]> {
  if (!all && typed.length === 0) refuseCommand(`"${name}" needs <id>: one or more ids, or --all.`);
  if (all && typed.length > 0)
    refuseCommand(`"${name}" takes ids or --all, not both. Remove "${typed[0]}" or --all.`);
  if (!all) return pickAll(typed, candidates, "Nothing was changed.");
  const records = await candidates.listWaiting();
  if (records.length === 0) {
    context.print(`No ${candidates.nouns} are waiting.`);
    return [];
  }
  const count = formatCount(records.length, candidates.noun, candidates.nouns);
  context.print(`This would ${describeAction(count)}:`);
  for (const record of records) context.print(formatCandidate(record, candidates));
  if (yes || (await context.confirm?.("Do it now?"))) return records;
  if (context.confirm) fail("Nothing was changed.");
  refuseCommand("Nothing was changed, because nobody can confirm it here. In a script, add --yes.");
}

const formatCandidate = <T extends { id: string }>(record: T, candidates: Candidates<T>) =>
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
export async function forEach<C extends Pick<SelectionContext, "print" | "result">>(
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
