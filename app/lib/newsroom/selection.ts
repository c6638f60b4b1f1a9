import { formatCount, type Pickable, pickOne } from "./printing.ts";

/** The options of a verb that decides about several submissions. */
export const selectionOptions = {
  all: { type: "flag", description: "all that are waiting, instead of ids; asks first" },
  older: {
    type: "string",
    value: "age",
    description: "with --all: only those that arrived longer ago, such as 2d, 12h or 3w",
  },
  yes: { type: "flag", description: "with --all: do not ask, for scripts" },
  "dry-run": { type: "flag", description: "show what would happen, without changing anything" },
} as const;

export type SelectionOptions = {
  all: boolean;
  older: string | undefined;
  yes: boolean;
  "dry-run": boolean;
};

type SelectionContext = {
  print(line: string): void;
  result(value: unknown): void;
  confirm: ((question: string) => Promise<boolean>) | null;
  clock(): Date;
};

type Findable<T> = Pickable<T> & {
  find(typed: string): Promise<T[]>;
  /** Returns what to print if nothing is found, if the editor may mean something else. */
  explainMissing?(typed: string): Promise<string>;
};

type Selectable<T> = Findable<T> & {
  /** What happens to "3 stories", such as "reject 3 stories". */
  describeAction(count: string): string;
  listWaiting(): Promise<T[]>;
};

const hourMs = 3_600_000;
const unitMs: Record<string, number> = { h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs };

/** Reads an age such as 2d; null if it is not one. */
function readAge(text: string): number | null {
  const [, count = "", unit = ""] = /^(\d{1,3}) ?([hdw])$/i.exec(text.trim()) ?? [];
  return count === "" ? null : Number(count) * (unitMs[unit.toLowerCase()] ?? 0);
}

/**
 * Finds the submissions that an editor chose by their ids or with --all: all of them, or none if one
 * is not found. Returns an exit code if there is nothing to do, or nothing to do yet.
 */
export async function selectSubmissions<T extends { id: string; createdAt: Date }>(
  context: SelectionContext,
  name: string,
  typed: string[],
  options: SelectionOptions,
  subject: Selectable<T>,
): Promise<T[] | number> {
  const { noun, nouns, label, describeAction } = subject;
  // "stories reject all" means the same as "stories reject --all", as in "stories list all".
  const all = options.all || typed.join() === "all";
  const refuse = (message: string) => {
    context.print(message);
    return 2;
  };
  if (!all && typed.length === 0) return refuse(`"${name}" needs <id>: one or more ids, or --all.`);
  if (options.all && typed.length > 0)
    return refuse(`"${name}" takes ids or --all, not both. Remove "${typed[0]}" or --all.`);
  if (!all && options.older !== undefined)
    return refuse('"--older" works only together with --all.');
  const age = options.older === undefined ? 0 : readAge(options.older);
  if (age === null)
    return refuse(`"--older ${options.older}" is not an age. Use for example 2d, 12h or 3w.`);
  const records = all
    ? await selectOlder(context, age, subject)
    : await pickAll(context, typed, subject);
  if (typeof records === "number") {
    if (typed.length > 1) context.print("Nothing was changed.");
    return records;
  }
  if (!all && !options["dry-run"]) return records;
  if (records.length === 0) {
    context.print(`No ${nouns} are waiting${age > 0 ? ` for longer than ${options.older}` : ""}.`);
    return 0;
  }
  const count = formatCount(records.length, noun, nouns);
  context.result(records.map(({ id }) => ({ id })));
  context.print(`This would ${describeAction(count)}:`);
  for (const record of records) context.print(`  ${subject.shorten(record.id)}  ${label(record)}`);
  if (options["dry-run"]) {
    context.print("Dry run: nothing was changed.");
    return 0;
  }
  if (options.yes || (await context.confirm?.("Do it now?"))) return records;
  context.print(
    context.confirm
      ? "Nothing was changed."
      : `Nothing was changed, because nobody can confirm it here. In a script, add --yes.`,
  );
  return context.confirm ? 1 : 2;
}

async function selectOlder<T extends { createdAt: Date }>(
  { clock }: SelectionContext,
  age: number,
  { listWaiting }: { listWaiting(): Promise<T[]> },
): Promise<T[]> {
  const cutoff = clock().getTime() - age;
  return (await listWaiting()).filter(({ createdAt }) => createdAt.getTime() <= cutoff);
}

/**
 * Returns the records with the ids that an editor typed. If one of them is not found, prints why and
 * returns the exit code.
 */
export async function pickAll<T extends { id: string }>(
  context: Pick<SelectionContext, "print">,
  typed: string[],
  subject: Findable<T>,
): Promise<T[] | number> {
  const records = new Map<string, T>();
  let exit = 0;
  // One at a time, so that messages are printed in the order of the ids.
  for (const each of typed) {
    const matches = await subject.find(each);
    if (matches.length === 0 && subject.explainMissing) {
      context.print(await subject.explainMissing(each));
      exit = Math.max(exit, 1);
      continue;
    }
    const found = pickOne(context, matches, each, subject);
    if (found.kind === "none") exit = Math.max(exit, found.exit);
    else records.set(found.one.id, found.one);
  }
  return exit > 0 ? exit : [...records.values()];
}

/**
 * Runs a command for each argument, one after the other, and returns the highest exit code. One
 * argument that fails does not stop the others.
 */
export async function forEach<C extends { result(value: unknown): void }>(
  context: C,
  args: string[],
  run: (context: C, arg: string) => Promise<number>,
): Promise<number> {
  const results: unknown[] = [];
  let exit = 0;
  for (const arg of new Set(args)) {
    const result = (value: unknown) => results.push(value);
    exit = Math.max(exit, await run({ ...context, result }, arg));
  }
  if (results.length > 0) context.result(oneOrMany(results));
  return exit;
}

/** One result for programs if the editor chose one record, otherwise a list. */
export const oneOrMany = <T>(results: T[]): T | T[] | undefined =>
  results.length === 1 ? results[0] : results;
