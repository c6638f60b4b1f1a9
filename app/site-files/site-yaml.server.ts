import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { didYouMean, findNearest } from "../lib/text/nearest.ts";
import {
  explainGroup,
  isGroup,
  isListSchema,
  listKnownKeys,
  missingMessage,
  toSchemaMessage,
} from "./schema-messages.server.ts";
import { findSlips, toSyntaxProblems } from "./yaml-problems.server.ts";

/**
 * A problem in a file. The line is 0 if the problem concerns the entire file. With a field, the
 * message completes the sentence "<field> …"; without a field, the message is a sentence.
 */
export type Problem = { line: number; field: string; message: string };
export type Parsed<T> = { ok: true; value: T } | { ok: false; problems: Problem[] };

/**
 * The maximum number of reported problems. Editors do not correct more at a time, and finding the
 * line of each problem takes long in a large file.
 */
const maxProblems = 20;

/** Parses settings. `linesBefore` is the number of lines above them in the file. */
export function parseYaml<S extends z.ZodType>(
  source: string,
  schema: S,
  linesBefore: number,
): Parsed<z.output<S>> {
  const yaml = readYaml(source, isListSchema(schema));
  if (!yaml.ok)
    return { ok: false, problems: yaml.problems.map((problem) => shiftLine(linesBefore, problem)) };
  const result = schema.safeParse(yaml.value, { error: toSchemaMessage });
  if (result.success) return { ok: true, value: result.data };
  const findLine = (path: PropertyKey[]) => yaml.findLine(path) + linesBefore;
  const problems = result.error.issues
    .slice(0, maxProblems)
    .flatMap((issue) => toProblems(issue, schema, yaml.value, findLine));
  return { ok: false, problems: dropConsequences(problems) };
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

function readYaml(source: string, isList = false): ReadResult {
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
    if (document.errors.length > 0)
      return fail(toSyntaxProblems(document.errors, source, lines, isList));
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

const shiftLine = (linesBefore: number, problem: Problem): Problem => ({
  ...problem,
  line: problem.line + linesBefore,
});

/**
 * `meant` is the setting that the editor probably meant. It is then not also reported as missing.
 */
type ExplainedProblem = Problem & { meant?: string };

function toProblems(
  issue: z.core.$ZodIssue,
  schema: z.core.$ZodType,
  value: unknown,
  findLine: (path: PropertyKey[]) => number,
): ExplainedProblem[] {
  if (issue.code === "unrecognized_keys") {
    const known = listKnownKeys(schema, issue.path);
    return issue.keys.slice(0, maxProblems).map((key) => {
      const name = key.replaceAll(/\p{Cf}/gu, "").trim();
      const group = getValueAt(value, issue.path);
      // Nobody misspells a setting that is in the same group.
      const absent = known.filter((each) => getValueAt(group, [each]) == null);
      const unknown = explainKey(key, name, known, {
        suggestion: didYouMean(name, absent),
        isEmpty: getValueAt(value, [...issue.path, key]) === null,
        emptyGroup: known.find(
          (each) =>
            getValueAt(group, [each]) === null &&
            listKnownKeys(schema, [...issue.path, each]).includes(name),
        ),
      });
      const meant = unknown.meant ?? findNearest(name, absent);
      return {
        line: findLine([...issue.path, key]),
        field: toFieldName([...issue.path, unknown.name ?? name]),
        message: unknown.message,
        ...(meant === undefined ? {} : { meant: toFieldName([...issue.path, meant]) }),
      };
    });
  }
  const [line, field] = [findLine(issue.path), toFieldName(issue.path)];
  const explain = (message: string) => [{ line, field, message }];
  const actual = getValueAt(value, issue.path);
  const isWholeFile = issue.path.length === 0;
  if (actual === undefined)
    return explain(issue.message.startsWith(missingMessage) ? issue.message : missingMessage);
  const group = explainGroup(issue, schema, actual);
  if (group) return [{ line, field: group.isSentence ? "" : field, message: group.message }];
  if (actual === null)
    return explain(isWholeFile ? "is empty: write its settings, such as title: …" : "has no value");
  if (isWholeFile && issue.code === "invalid_type")
    return explain(
      isListSchema(schema)
        ? "must be a list: begin each entry with a - and a space"
        : "must consist of settings, such as title: …",
    );
  const isQuoted = typeof actual === "string" && /^[“”„‘’]/.test(actual);
  const hint = isQuoted ? ". Use straight quotes, not curly ones" : "";
  return explain(insertLine(issue, findLine) + hint);
}

/** Replaces {line} in a schema's own message by the line of another setting, `params.lineOf`. */
const insertLine = (issue: z.core.$ZodIssue, findLine: (path: PropertyKey[]) => number) =>
  issue.code === "custom" && Array.isArray(issue.params?.lineOf)
    ? issue.message.replace("{line}", String(findLine(issue.params.lineOf)))
    : issue.message;

type UnknownKeyProblem = { message: string; name?: string; meant?: string };

/** Explains an unknown setting. Usually, the text was not meant to be a setting. */
function explainKey(
  key: string,
  name: string,
  known: string[],
  {
    suggestion,
    isEmpty,
    emptyGroup,
  }: { suggestion: string; isEmpty: boolean; emptyGroup: string | undefined },
): UnknownKeyProblem {
  if (/^\s/.test(key))
    return { message: "begins with a special space: type the spaces before it again" };
  if (name !== key)
    return { message: "has an invisible character in its name: type the name again" };
  const [before = "", after] = name.split(":", 2);
  if (after && known.includes(before))
    return {
      name: before,
      message: `needs a space after its colon: ${before}: ${after}`,
      meant: before,
    };
  if (emptyGroup !== undefined)
    return { message: `belongs to ${emptyGroup}: put two spaces before it`, meant: emptyGroup };
  if (suggestion === "" && isEmpty)
    return { message: "is not a setting of this file: put the text that it belongs to in quotes" };
  if (suggestion === "" && name.includes(" "))
    return {
      message:
        "is not a setting of this file: put two spaces before it if it continues the text above",
    };
  return { message: `is not a setting of this file${suggestion}` };
}

/**
 * Drops problems that follow from others. A misspelled setting is also missing under its correct
 * name, and one message is enough for both. A value of the wrong type fails several checks, so only
 * the first problem of each setting counts.
 */
function dropConsequences(problems: ExplainedProblem[]): Problem[] {
  const meant = new Set(problems.flatMap((problem) => problem.meant ?? []));
  const isConsequence = ({ field, message }: Problem) =>
    meant.has(field) && (message.startsWith(missingMessage) || message === "has no value");
  const firstProblems = new Map<string, Problem>();
  for (const problem of problems) {
    // A sentence about an entry of a list has no field.
    const place = problem.field || `line ${problem.line}`;
    if (!isConsequence(problem) && !firstProblems.has(place)) firstProblems.set(place, problem);
  }
  return [...firstProblems.values()].map(({ line, field, message }) => ({ line, field, message }));
}

function getValueAt(value: unknown, [step, ...rest]: PropertyKey[]): unknown {
  if (step === undefined) return value;
  if (Array.isArray(value)) return getValueAt(value[Number(step)], rest);
  return isGroup(value) ? getValueAt(value[String(step)], rest) : undefined;
}

const toFieldName = (path: PropertyKey[]) => path.map(String).join(".") || "the file";

/** Counts entries of lists as people do: "corrections.0.date" is "date in entry 1 of corrections". */
function describeField(field: string): string {
  const [, list, index, rest] = /^(.+?)\.(\d+)(?:\.(.+))?$/.exec(field) ?? [];
  if (list === undefined) return field;
  const entry = `entry ${Number(index) + 1} of ${list}`;
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
