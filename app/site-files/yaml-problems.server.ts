import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  type LineCounter,
  visit,
  type YAMLMap,
  type YAMLParseError,
} from "yaml";

/** A problem in a line, described for people who do not know YAML. */
type YamlProblem = { line: number; message: string };

const maxYamlProblems = 5;

/**
 * Explains the syntax errors in YAML source. Only errors with the same code as the first one are
 * reported, because the others are often its consequences, in lines that are correct. `isList`
 * tells whether the whole file is a list.
 */
export function toSyntaxProblems(
  errors: YAMLParseError[],
  source: string,
  lines: LineCounter,
  isList: boolean,
): YamlProblem[] {
  const rows = source.split(/\r?\n/);
  const problemsByLine = new Map<number, YamlProblem>();
  const seen = new Set<number>();
  for (const error of errors) {
    const { line, col } = lines.linePos(error.pos[0]);
    if (error.code !== errors[0]?.code || seen.has(line)) continue;
    seen.add(line);
    const problem =
      findSpecialSpace(rows, line) ??
      findUnquotedColor(rows, line) ??
      (isList ? findEntryProblem(rows, line) : findFirstRowProblem(rows, line)) ??
      toProblem(error, { rows, line, column: col });
    if (!problemsByLine.has(problem.line)) problemsByLine.set(problem.line, problem);
    // One line in the wrong column makes all lines below it look wrong. So does a line that ends
    // the list of which the file consists.
    const hidesOthers = problem.message === wrongColumnMessage || isList;
    if (hidesOthers || problemsByLine.size === maxYamlProblems) break;
  }
  return [...problemsByLine.values()];
}

const missingDashSpaceMessage = "put a space after the - of a list";

const wrongColumnMessage =
  "this line begins in the wrong column: settings of one group begin in the same column";

/** Returns the line itself, or the next line that is neither empty nor a comment. */
function findContentLine(rows: string[], line: number): number {
  const index = rows.findIndex((row, rowIndex) => rowIndex >= line - 1 && /^\s*[^\s#]/.test(row));
  return index < 0 ? line : index + 1;
}

/**
 * Finds the last special space after a colon, up to this line. Word processors insert such spaces,
 * which look like normal ones.
 */
function findSpecialSpace(rows: string[], line: number): YamlProblem | null {
  const hasSpecialSpace = (row: string) =>
    /^\s*(?:- +)?[\w-]{1,40}:[\u00a0\u2000-\u200b\u202f\u3000]/.test(row);
  const index = rows.slice(0, line).findLastIndex(hasSpecialSpace);
  return index < 0
    ? null
    : {
        line: index + 1,
        message: "there is a special space after the colon: delete it and type a space",
      };
}

/** Finds the last color without quotes in braces, up to this line. It hides the closing brace. */
function findUnquotedColor(rows: string[], line: number): YamlProblem | null {
  const hasColor = (row: string) => row.includes("{") && /: {1,9}#[\da-f]{3,8}\b/i.test(row);
  const index = rows.slice(0, line).findLastIndex(hasColor);
  return index < 0
    ? null
    : { line: index + 1, message: "put the color in quotes, because # begins a comment" };
}

/**
 * Finds a first setting that is indented, or is an entry of a list. The parser would report the
 * settings below it instead.
 */
function findFirstRowProblem(rows: string[], line: number): YamlProblem | null {
  const index = rows.findIndex((row) => /^\s*[^\s#]/.test(row));
  if (index < 0 || index + 1 >= line || !/^[\w-]{1,40}:(\s|$)/.test(rows[line - 1] ?? ""))
    return null;
  const row = rows[index] ?? "";
  if (/^ +[\w-]{1,40}:(\s|$)/.test(row)) return { line: index + 1, message: wrongColumnMessage };
  const [, name] = /^- +([\w-]{1,40}):(\s|$)/.exec(row) ?? [];
  return name === undefined ? null : { line: index + 1, message: `delete the - before ${name}` };
}

/**
 * Finds a setting that is not indented in a file that is a list, or a first entry without a space
 * after its dash. The parser would report the entries below it instead.
 */
function findEntryProblem(rows: string[], line: number): YamlProblem | null {
  const first = findContentLine(rows, 1);
  if (/^-\w/.test(rows[first - 1] ?? "")) return { line: first, message: missingDashSpaceMessage };
  const [, name] = /^(\w[\w-]{0,39}):(\s|$)/.exec(rows[line - 1] ?? "") ?? [];
  if (name === undefined) return null;
  return line === first
    ? { line, message: `put a - and a space before ${name}` }
    : { line, message: `put two spaces before ${name}` };
}

type Place = { rows: string[]; line: number; column: number };

/** Matches a line that gives a setting a value. The setting may be the first in a list entry. */
const settingPattern = /^\s*(?:- +)?([\w-]{1,40}):\s+(\S.*)$/;

function toProblem({ code, message }: YAMLParseError, { rows, line, column }: Place): YamlProblem {
  const row = rows[line - 1] ?? "";
  const [, key, value = ""] = settingPattern.exec(row) ?? [];
  const name = key === undefined ? "the text" : `the ${key}`;
  const createProblem = (sentence: string, problemLine = line): YamlProblem => ({
    line: problemLine,
    message: sentence,
  });
  const [, keyWithoutSpace, after = ""] =
    /^\s*(?:- +)?([a-z][\w-]{0,40}):([^\s:/].*)$/i.exec(row) ?? [];
  const missingSpaceMessage =
    keyWithoutSpace === undefined
      ? null
      : `put a space after the colon: ${keyWithoutSpace}: ${after.length > 60 ? "…" : after}`;
  const noColonMessage = /^[^:]+:\s+[^\s#>|[{]/.test(rows[line - 2] ?? "")
    ? 'this line has no colon: write a setting as "name: value", or put two spaces before a line that continues the text above'
    : 'this line has no colon: write a setting as "name: value"';
  if (/^ *\t/.test(row)) return createProblem("indent with spaces, not with a tab");
  const [, plainKey] = /^\s*[*_`]{1,3}([\w-]{1,40})[*_`]{0,3}:/.exec(row) ?? [];
  if (plainKey !== undefined)
    return createProblem(`write the name of a setting without other characters: ${plainKey}: …`);
  if (/^\s*[*•–—] /.test(row))
    return createProblem("begin each entry of a list with a - and a space");
  if (/^\s*-[a-z]/i.test(row)) return createProblem(missingDashSpaceMessage);
  if (/^[“”„‘’]/.test(value))
    return createProblem(`use straight quotes around ${name}, not curly ones: "…"`);
  // These characters have a special meaning in YAML if a value begins with one of them. Brackets
  // and quotes have separate messages.
  const sign = /^(?:[&*!%@`,]|[|>](?![-+\d]*$)|[-?](?= ))/.exec(value)?.[0];
  if (sign !== undefined && code !== "BAD_SCALAR_START")
    return createProblem(
      sign === "-"
        ? `put ${name} in quotes, because it begins with - (a list begins on the next line)`
        : `put ${name} in quotes, because it begins with ${sign}`,
    );
  if (/^[[{]/.test(value) && /\w'\w/.test(value) && (value.match(/'/g)?.length ?? 0) % 2 === 1)
    return createProblem("put the text that contains an apostrophe in double quotes");
  // The parser considers an entry or a setting in the wrong column to be the name of a setting.
  if (
    (/^A block sequence/.test(message) && /^\s*- /.test(row)) ||
    (/^Sequence item without/.test(message) && /^\s*[\w-]{1,40}:(\s|$)/.test(row))
  )
    return createProblem(wrongColumnMessage);
  switch (code) {
    case "TAB_AS_INDENT":
      return createProblem("indent with spaces, not with a tab");
    case "BLOCK_AS_IMPLICIT_KEY":
    case "MULTILINE_IMPLICIT_KEY":
    case "BLOCK_IN_FLOW":
      if (missingSpaceMessage) return createProblem(missingSpaceMessage);
      if (/:(\s|$)/.test(value) && code !== "BLOCK_IN_FLOW")
        return createProblem(`put ${name} in quotes, because it contains a colon`);
      if (code === "BLOCK_IN_FLOW")
        return createProblem(
          "put a comma between the settings inside { }, or quotes around text that contains a colon",
        );
      if (/:(\s|$)/.test(rows[line] ?? "") && key !== undefined)
        return createProblem(wrongColumnMessage, line + 1);
      return createProblem(noColonMessage);
    case "BAD_INDENT": {
      const opened = findOpenBracket(rows, line);
      if (opened)
        return createProblem(`the ${opened.bracket} has no closing ${opened.closing}`, opened.line);
      return createProblem(wrongColumnMessage, findContentLine(rows, line));
    }
    case "MISSING_CHAR": {
      if (missingSpaceMessage) return createProblem(missingSpaceMessage);
      const quote = /Missing closing (["'])/.exec(message)?.[1];
      if (quote !== undefined) {
        const start = rows.findLastIndex(
          (each, index) => index < line && new RegExp(`:\\s+${quote}`).test(each),
        );
        const [, opened] = settingPattern.exec(rows[start] ?? "") ?? [];
        const text = opened === undefined ? "the text" : `the ${opened}`;
        return createProblem(
          quote === "'"
            ? `the quote ' is never closed: put all of ${text} in double quotes`
            : `the quote " is never closed: put one at the end of ${text}`,
          start < 0 ? line : start + 1,
        );
      }
      const opened = findOpenBracket(rows, line);
      if (opened)
        return createProblem(`the ${opened.bracket} has no closing ${opened.closing}`, opened.line);
      return createProblem(noColonMessage);
    }
    case "BAD_SCALAR_START":
      return createProblem(
        `put ${name} in quotes, because it begins with ${row[column - 1] ?? "a special character"}`,
      );
    case "BAD_DQ_ESCAPE":
      return createProblem(`write \\\\ for a backslash in ${name}, or use single quotes`);
    case "MULTIPLE_DOCS":
      return createProblem("delete this line: --- and ... end the settings");
    case "UNEXPECTED_TOKEN": {
      const first = value[0] ?? "";
      if (first === "'")
        return createProblem(`put ${name} in double quotes, because it contains an apostrophe`);
      if (first === '"')
        return createProblem(
          `put all of ${name} in single quotes, because it contains double quotes`,
        );
      if (first !== "" && !/[\w]/.test(first))
        return createProblem(`put ${name} in quotes, because it begins with ${first}`);
      return createProblem("this line cannot be understood: put the text in quotes");
    }
    default:
      return createProblem(
        "this line cannot be understood: put the text in quotes, or compare it with a file that works",
      );
  }
}

/** Returns the first bracket in or above a line that is never closed. */
function findOpenBracket(rows: string[], line: number) {
  const openBrackets: { bracket: string; line: number }[] = [];
  for (const [index, row] of rows.entries()) {
    let quote = "";
    for (let column = 0; column < row.length; column += 1) {
      const sign = row[column] ?? "";
      if (quote !== "") {
        if (sign === quote) quote = "";
        continue;
      }
      if (!/["'[\]{}]/.test(sign)) continue;
      const before = row.slice(Math.max(0, column - 60), column);
      if (sign === '"' || sign === "'") {
        if (/(?:^|[[{,:-])\s*$/.test(before)) quote = sign;
      } else if (sign === "]" || sign === "}") openBrackets.pop();
      // Only a bracket that begins a value counts. Elsewhere, a bracket is a normal character.
      else if (openBrackets.length > 0 || /^(?:\s*|.*[:-]\s+)$/.test(before))
        openBrackets.push({ bracket: sign, line: index + 1 });
    }
  }
  const [first] = openBrackets;
  return first && first.line <= line
    ? { ...first, closing: first.bracket === "[" ? "]" : "}" }
    : null;
}

/**
 * Finds valid YAML that does not mean what the editor intended, because a character begins a
 * reference, a tag or a comment and so removes text without an error, or because a key is repeated.
 */
export function findSlips(document: Document, source: string, lines: LineCounter): YamlProblem[] {
  const problems: YamlProblem[] = [];
  const add = (offset: number, message: string) =>
    problems.push({ line: lines.linePos(offset).line, message });
  const findName = (path: readonly unknown[]) => {
    const pair = path.at(-1);
    const key = typeof pair === "object" && pair !== null && "key" in pair ? pair.key : null;
    return isScalar(key) ? `the ${String(key.value)}` : "the text";
  };
  visit(document, {
    Node(_key, node, path) {
      if (!node.range) return;
      const name = findName(path);
      if (isAlias(node)) add(node.range[0], `put ${name} in quotes, because it begins with *`);
      else if (node.anchor !== undefined)
        add(node.range[0], `put ${name} in quotes, because it begins with &`);
      else if (node.tag !== undefined)
        add(node.range[0], `put ${name} in quotes, because it begins with !`);
      else if (
        isScalar(node) &&
        node.type === "PLAIN" &&
        (isCutByComment(source, node.range[1]) ||
          (node.value === null && isComment(source, node.range[1])))
      )
        add(node.range[0], `put ${name} in quotes, because everything after # is ignored`);
      if (isMap(node))
        for (const key of findRepeatedKeys(node))
          add(key.offset, `${key.name} appears twice: delete one of them`);
    },
  });
  return problems.slice(0, maxYamlProblems);
}

/** The parser could find repeated keys too, but it compares each key with every other key. */
function findRepeatedKeys(map: YAMLMap): { name: string; offset: number }[] {
  const seen = new Set<unknown>();
  return map.items.flatMap(({ key }) => {
    if (!isScalar(key) || !key.range) return [];
    const isRepeated = seen.has(key.value);
    seen.add(key.value);
    return isRepeated ? [{ name: String(key.value), offset: key.range[0] }] : [];
  });
}

/** Whether there is a comment in place of the value, as in "title: # 1 in the city". */
const isComment = (source: string, end: number) =>
  /^[ \t]{0,80}#/.test(source.slice(end, end + 100));

/**
 * Whether a # directly before a word follows, as in "Pier #6". The editor meant this # as text,
 * because a real comment has a space after its #.
 */
function isCutByComment(source: string, end: number): boolean {
  const lineEnd = source.indexOf("\n", end);
  return /^[ \t]*#[^\s#]/.test(source.slice(end, lineEnd < 0 ? undefined : lineEnd));
}
