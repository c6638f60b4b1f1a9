import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { didYouMean } from "../lib/text/nearest.ts";
import {
  isGroup,
  listKnownKeys,
  missingMessage,
  toSchemaMessage,
} from "./schema-messages.server.ts";
import { findSlips, toSyntaxProblem } from "./yaml-problems.server.ts";

/**
 * A problem in a file. The line is 0 if the problem concerns the entire file. With a field, the
 * message completes the sentence "<field> …"; without a field, the message is a sentence.
 */
export type Problem = { line: number; field: string; message: string };
/** `rest` is what could be read despite the problems: images and links in it are checked too. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; problems: Problem[]; rest?: unknown };

/**
 * The maximum number of reported problems. Editors do not correct more at a time, and finding the
 * line of each problem takes long in a large file.
 */
export const maxProblems = 20;

/** Parses settings. `linesBefore` is the number of lines above them in the file. */
export function parseYaml<S extends z.ZodType>(
  source: string,
  schema: S,
  linesBefore: number,
): Parsed<z.output<S>> {
  const yaml = readYaml(source);
  if (!yaml.ok)
    return { ok: false, problems: yaml.problems.map((problem) => shiftLine(linesBefore, problem)) };
  const result = schema.safeParse(yaml.value, { error: toSchemaMessage });
  if (result.success) return { ok: true, value: result.data };
  const findLine = (path: PropertyKey[]) => yaml.findLine(path) + linesBefore;
  const problems = result.error.issues
    .slice(0, maxProblems)
    .flatMap((issue) => toProblems(issue, schema, yaml.value, findLine));
  // A value of the wrong type fails several checks, so only the first problem of each counts.
  const byField = Map.groupBy(problems, ({ field }) => field);
  return {
    ok: false,
    problems: [...byField.values()].flatMap(([first]) => first ?? []),
    rest: yaml.value,
  };
}

/**
 * Returns the line of a setting such as ["featured", 1], or the first line if the setting does not
 * exist.
 */
export function findSettingLine(source: string, path: PropertyKey[]): number {
  const yaml = readYaml(source);
  return yaml.ok ? yaml.findLine(path) : 1;
}

type ReadResult =
  | { ok: true; value: unknown; findLine(path: PropertyKey[]): number }
  | { ok: false; problems: Problem[] };

function readYaml(source: string): ReadResult {
  const lines = new LineCounter();
  const fail = (problems: { line: number; message: string }[]): ReadResult => ({
    ok: false,
    problems: problems.map((problem) => ({ field: "", ...problem })),
  });
  let document: Document;
  let value: unknown;
  try {
    // The parser's check for unique keys takes quadratic time, so `findSlips` has a faster one.
    document = parseDocument(source, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
    });
    const [error] = document.errors;
    if (error) return fail([toSyntaxProblem(error, source, lines)]);
    const slips = findSlips(document, source, lines);
    if (slips.length > 0) return fail(slips);
    value = document.toJS();
  } catch {
    // Thousands of nested brackets exhaust the stack.
    return fail([{ line: 1, message: "the settings are too deeply nested" }]);
  }
  return { ok: true, value, findLine: createLineFinder(document, lines) };
}

/** Returns a function that finds the line of a value, or of the nearest group that contains it. */
export const createLineFinder =
  (document: Document, lines: LineCounter) =>
  (path: PropertyKey[]): number => {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const node = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };

export const shiftLine = (linesBefore: number, problem: Problem): Problem => ({
  ...problem,
  line: problem.line + linesBefore,
});

function toProblems(
  issue: z.core.$ZodIssue,
  schema: z.core.$ZodType,
  value: unknown,
  findLine: (path: PropertyKey[]) => number,
): Problem[] {
  if (issue.code === "unrecognized_keys") {
    const group = getValueAt(value, issue.path);
    // Nobody misspells a setting that is in the same group.
    const absent = listKnownKeys(schema, issue.path).filter(
      (each) => getValueAt(group, [each]) == null,
    );
    return issue.keys.slice(0, maxProblems).map((key) => ({
      line: findLine([...issue.path, key]),
      field: toFieldName([...issue.path, key]),
      message: `is not a setting of this file${didYouMean(key, absent)}`,
    }));
  }
  const actual = getValueAt(value, issue.path);
  const isQuoted = typeof actual === "string" && /^[“”„‘’]/.test(actual);
  const hint = isQuoted ? ". Use straight quotes, not curly ones" : "";
  return [
    {
      line: findLine(issue.path),
      field: toFieldName(issue.path),
      message: describeAbsent(issue, actual) ?? issue.message + hint,
    },
  ];
}

/** The message about a setting that is missing or has no value. Null for other problems. */
function describeAbsent({ message }: z.core.$ZodIssue, actual: unknown): string | null {
  if (actual === null) return "has no value";
  if (actual !== undefined || message.startsWith(missingMessage)) return null;
  return missingMessage;
}

function getValueAt(value: unknown, [step, ...rest]: PropertyKey[]): unknown {
  if (step === undefined) return value;
  if (Array.isArray(value)) return getValueAt(value[Number(step)], rest);
  return isGroup(value) ? getValueAt(value[String(step)], rest) : undefined;
}

const toFieldName = (path: PropertyKey[]) => path.map(String).join(".") || "the file";

/** Counts entries of lists as people do: "corrections.0.date" is "date in entry 1 of corrections". */
function describeField(field: string): string {
  const [, list, index, rest] = /^(?:(.+?)\.)?(\d+)(?:\.(.+))?$/.exec(field) ?? [];
  if (index === undefined) return field;
  const entry = `entry ${Number(index) + 1} of ${list ?? "the list"}`;
  return rest === undefined ? entry : `${describeField(rest)} in ${entry}`;
}

/** Formats a problem as a sentence for people: "Line 4: heading must be text." */
export function toProblemSentence({ line, field, message }: Problem): string {
  const text = field === "" ? message : `${describeField(field)} ${message}`;
  const period = /[.?]$/.test(text) ? "" : ".";
  return line > 0
    ? `Line ${line}: ${text}${period}`
    : `${text[0]?.toUpperCase()}${text.slice(1)}${period}`;
}
