import type { Database } from "../../db/database.ts";
import type { Clock } from "../lib/dates.ts";
import type { SafeFetch } from "../lib/external/safe-fetch.server.ts";
import type { Part } from "../lib/links/parts.ts";
import type { Log } from "../lib/log.ts";
import type { SiteContent, SiteSource } from "../site-files/site-file.server.ts";
import type { Services } from "./services.ts";
import type { RunInWorker } from "./worker-task.ts";

/**
 * A command of the `newsroom` program. The parser of the command line, the help and the suggestions
 * after a typing mistake are derived from this declaration. A command runs inside the server if one
 * is running, and otherwise in a separate process. A command that needs more than the common
 * context declares this: `Command<CommandContext & { config: Config }>`.
 */
export type Command<D extends CommandContext = CommandContext> = {
  name: string;
  /** The part of the site that the command is about, if a city can do without it. */
  part?: Part;
  group: HelpGroup;
  summary: string;
  /** What to type after the name of the program. */
  examples: string[];
  /**
   * The actions, by the word that people type after the name of the command, such as `list`. The
   * action with the key `noVerb` runs if the first word is not a verb.
   */
  verbs: Record<string, Verb<D>>;
};

export const helpGroups = [
  "Submissions",
  "Content",
  "Newsletter",
  "Statistics",
  "Operations",
] as const;
type HelpGroup = (typeof helpGroups)[number];

/** The key in `verbs` of the action that runs without a verb, as in `backup`. */
export const noVerb = "";

export type Verb<D extends CommandContext = CommandContext> = {
  /** Omitted if the summary of the command already says it. */
  summary?: string;
  arguments?: Arguments;
  /** The options by name, without the dashes. An option has the same type in all verbs. */
  options?: Options;
  /**
   * Returns the exit code: 1 if something is wrong with the content, 2 if the command was not
   * understood, undefined for 0. A verb that cannot continue throws a `CommandError`.
   */
  run(context: D, values: TypedValues): Promise<number | undefined>;
};

/**
 * The typed values of arguments and options, by their declared names. `verb` gives each its type.
 */
export type TypedValues = Record<string, string | string[] | boolean | number | undefined>;

/**
 * A word without dashes after the verb. Optional arguments come last, and only the last argument
 * may be repeated.
 */
export type Argument = {
  /** Shown in the help, and after "needs <id>: " if the argument is missing. */
  description: string;
  required?: true;
  repeated?: true;
};

export type Option = {
  description: string;
} & (
  | { type: "flag" }
  | {
      type: "string";
      /** What the value is, as shown in the usage: --to <folder>. */
      value: string;
      required?: true;
      repeated?: true;
    }
  | { type: "integer"; value: string; min: number; max?: number }
);

type Arguments = Record<string, Argument>;
type Options = Record<string, Option>;

type ValueOf<Declared> = Declared extends { type: "flag" }
  ? boolean
  : Declared extends { type: "integer" }
    ? number | undefined
    : Declared extends { repeated: true }
      ? string[]
      : Declared extends { required: true }
        ? string
        : string | undefined;

type ValuesOf<Declared> = { [Name in keyof Declared]: ValueOf<Declared[Name]> };

/** Declares a verb, so that `run` gets each value with the type that its declaration implies. */
export const verb = <
  D extends CommandContext,
  const A extends Arguments = Record<never, never>,
  const O extends Options = Record<never, never>,
>(declared: {
  summary?: string;
  arguments?: A;
  options?: O;
  run(context: D, values: ValuesOf<A> & ValuesOf<O>): Promise<number | undefined>;
}): Verb<D> => declared;

/** The progress of a long action: `done` of `all`. `what` names the unit or the last item. */
export type ProgressStep = { done: number; all: number; what: string };

/** The terminal in which a person typed a command, which may be run in another process. */
export type Caller = {
  print(line: string): void;
  /**
   * Sets the result for programs. With --json, it is printed instead of the lines for people, also
   * of those that say why a command ended without doing anything.
   */
  result(value: unknown): void;
  /** Shows a step in place of the one that was last shown. */
  progress(step: ProgressStep): void;
  /** The folder in which the command was typed. File names are relative to it. */
  cwd: string;
  /** The width of the terminal; null for a pipe or a file, where nothing has to be truncated. */
  columns: number | null;
  /** Whether OFFLINE=1 is set for this command, although perhaps not for the server. */
  isOffline: boolean;
  /** Asks a person to confirm; null if nobody can respond, as in a script. */
  confirm: ((question: string) => Promise<boolean>) | null;
};

/** What a command may use: its caller, and what the process that runs it provides. */
export type CommandContext = Caller & {
  /** Prints rows below a header, truncated to the width of the terminal if there is one. */
  table(head: string[], rows: string[][]): void;
  clock: Clock;
  log: Log;
  /**
   * Like the `fetch` of the services, refuses to connect to this machine or its network. It also
   * respects OFFLINE if that is set only for this command.
   */
  fetch: SafeFetch;
  runInWorker: RunInWorker;
  siteFolder: string;
  siteFiles: SiteSource[];
  /** Reads files of the city as they are on disk now. */
  readSite(sources: SiteSource[]): Promise<SiteContent>;
  /** Opens the database on the first call. */
  database(): Promise<Database>;
  /** Everything that routes and jobs may use, including outgoing mail. Opened on the first call. */
  services(): Promise<Services>;
  /** Whether the command runs inside a server, and not in a process of its own. */
  isServing: boolean;
};
