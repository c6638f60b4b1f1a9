import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { didYouMean, findNearest } from "../text/nearest.ts";
import { isGroup, knownKeys, schemaMessage } from "./schema-messages.server.ts";
import { findSlips, toSyntaxProblems } from "./yaml-problems.server.ts";

/**
 * A problem in a file; line 0 if it concerns the file as a whole. With a field, the message
 * completes the sentence "<field> …"; without a field it is a sentence.
 */
export type Problem = { line: number; field: string; message: string };
export type Parsed<T> = { ok: true; value: T } | { ok: false; problems: Problem[] };

/**
 * More than an editor corrects at a time. The number has to be limited, because finding a line
 * takes time that grows with the file.
 */
const maxProblems = 20;

/** Parses settings. `linesBefore` is the number of lines above them in the file. */
export function parseYaml<S extends z.ZodType>(
  source: string,
  schema: S,
  linesBefore: number,
): Parsed<z.output<S>> {
  const read = readYaml(source);
  if (!read.ok)
    return { ok: false, problems: read.problems.map((problem) => shiftLine(linesBefore, problem)) };
  const result = schema.safeParse(read.value, { error: schemaMessage });
  if (result.success) return { ok: true, value: result.data };
  const problems = result.error.issues
    .slice(0, maxProblems)
    .flatMap((issue) => toProblems(issue, schema, read.value, read.lineOf));
  return {
    ok: false,
    problems: dropConsequences(problems).map((problem) => shiftLine(linesBefore, problem)),
  };
}

/**
 * The line of a setting in a YAML text, for example of ["featured", 1]. The first line if the
 * setting does not exist.
 */
export function lineOfSetting(source: string, path: PropertyKey[]): number {
  const read = readYaml(source);
  return read.ok ? read.lineOf(path) : 1;
}

type Read =
  | { ok: true; value: unknown; lineOf(path: PropertyKey[]): number }
  | { ok: false; problems: Problem[] };

function readYaml(source: string): Read {
  const lines = new LineCounter();
  const fail = (problems: { line: number; message: string }[]): Read => ({
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
    if (document.errors.length > 0) return fail(toSyntaxProblems(document.errors, source, lines));
    const slips = findSlips(document, source, lines);
    if (slips.length > 0) return fail(slips);
    value = document.toJS();
  } catch {
    // Thousands of nested brackets exhaust the stack.
    return fail([{ line: 1, message: "the settings are too deeply nested" }]);
  }
  const lineOf = (path: PropertyKey[]): number => {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const node = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  return { ok: true, value, lineOf };
}

const shiftLine = (linesBefore: number, problem: Problem): Problem => ({
  ...problem,
  line: problem.line + linesBefore,
});

/**
 * A problem and the setting that the editor probably meant. That the meant setting is missing is
 * not reported separately.
 */
type Explained = Problem & { meant?: string };

function toProblems(
  issue: z.core.$ZodIssue,
  schema: z.core.$ZodType,
  value: unknown,
  lineOf: (path: PropertyKey[]) => number,
): Explained[] {
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys(schema, issue.path);
    return issue.keys.slice(0, maxProblems).map((key) => {
      const name = key.replaceAll(/\p{Cf}/gu, "").trim();
      const group = valueAt(value, issue.path);
      const unknown = explainKey(key, name, known, {
        isEmpty: valueAt(value, [...issue.path, key]) === null,
        emptyGroup: known.find(
          (each) =>
            valueAt(group, [each]) === null &&
            knownKeys(schema, [...issue.path, each]).includes(name),
        ),
      });
      const meant = unknown.meant ?? findNearest(name, known);
      return {
        line: lineOf([...issue.path, key]),
        field: fieldName([...issue.path, unknown.name ?? name]),
        message: unknown.message,
        ...(meant === undefined ? {} : { meant: fieldName([...issue.path, meant]) }),
      };
    });
  }
  const [line, field] = [lineOf(issue.path), fieldName(issue.path)];
  const actual = valueAt(value, issue.path);
  if (actual === undefined) return [{ line, field, message: "is missing" }];
  if (actual === null)
    return [
      {
        line,
        field,
        message:
          issue.path.length === 0
            ? "is empty: write its settings, such as title: …"
            : "has no value",
      },
    ];
  if (issue.path.length === 0 && issue.code === "invalid_type")
    return [{ line, field, message: "must consist of settings, such as title: …" }];
  const hint =
    typeof actual === "string" && /^[“”„‘’]/.test(actual)
      ? ". Use straight quotes, not curly ones"
      : "";
  return [{ line, field, message: issue.message + hint }];
}

type UnknownKey = { message: string; name?: string; meant?: string };

/** Explains an unknown setting: usually the text was not meant to be a setting. */
function explainKey(
  key: string,
  name: string,
  known: string[],
  { isEmpty, emptyGroup }: { isEmpty: boolean; emptyGroup: string | undefined },
): UnknownKey {
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
  const suggestion = didYouMean(name, known);
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
function dropConsequences(problems: Explained[]): Problem[] {
  const meant = new Set(problems.flatMap((problem) => problem.meant ?? []));
  const isConsequence = ({ field, message }: Problem) =>
    meant.has(field) && (message === "is missing" || message === "has no value");
  const first = new Map<string, Problem>();
  for (const problem of problems)
    if (!isConsequence(problem) && !first.has(problem.field)) first.set(problem.field, problem);
  return [...first.values()].map(({ line, field, message }) => ({ line, field, message }));
}

function valueAt(value: unknown, [step, ...rest]: PropertyKey[]): unknown {
  if (step === undefined) return value;
  if (Array.isArray(value)) return valueAt(value[Number(step)], rest);
  return isGroup(value) ? valueAt(value[String(step)], rest) : undefined;
}

const fieldName = (path: PropertyKey[]) => path.map(String).join(".") || "the whole file";

/** A problem as a sentence for people: "Line 4: heading must be text." */
export function problemSentence({ line, field, message }: Problem): string {
  const text = field === "" ? message : `${field} ${message}`;
  const end = /[.?]$/.test(text) ? "" : ".";
  return line > 0
    ? `Line ${line}: ${text}${end}`
    : `${text[0]?.toUpperCase()}${text.slice(1)}${end}`;
}
