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

/** What is wrong in a line, in a sentence that needs no knowledge of YAML. */
export type Fault = { line: number; message: string };

const maxFaults = 5;

/**
 * The syntax errors of a YAML text in our own words. Only errors of the first kind are reported: the others are often
 * consequences of it, and they would send the editor to lines that are right.
 */
export function faultsOf(errors: YAMLParseError[], source: string, lines: LineCounter): Fault[] {
  const rows = source.split(/\r?\n/);
  const conflict = rows.findIndex((row) => /^(<{7}|={7}|>{7})( |$)/.test(row));
  if (conflict >= 0)
    return [
      {
        line: conflict + 1,
        message:
          "two versions were merged here: keep one and delete the lines of <<<<<<<, ======= and >>>>>>>",
      },
    ];
  const byLine = new Map<number, Fault>();
  for (const error of errors) {
    if (error.code !== errors[0]?.code) continue;
    const { line, col } = lines.linePos(error.pos[0]);
    const fault = faultOf(error, { rows, line, column: col });
    if (!byLine.has(fault.line)) byLine.set(fault.line, fault);
  }
  return [...byLine.values()].slice(0, maxFaults);
}

type Place = { rows: string[]; line: number; column: number };

/** A line that gives a setting a value, perhaps as the first one of a list entry. */
const setting = /^\s*(?:- +)?([\w-]{1,40}):\s+(\S.*)$/;

function faultOf({ code, message }: YAMLParseError, { rows, line, column }: Place): Fault {
  const row = rows[line - 1] ?? "";
  const [, key, value = ""] = setting.exec(row) ?? [];
  const name = key === undefined ? "the text" : `the ${key}`;
  const at = (sentence: string, number = line): Fault => ({ line: number, message: sentence });
  const missingSpace = /^\s*(?:- +)?([\w-]{1,40}):([^\s:/][^:]*)$/.exec(row);
  switch (code) {
    case "TAB_AS_INDENT":
      return at("indent with spaces, not with a tab");
    case "BLOCK_AS_IMPLICIT_KEY":
    case "MULTILINE_IMPLICIT_KEY":
    case "BLOCK_IN_FLOW":
      if (missingSpace) return at(`put a space after the colon: ${missingSpace[1]}: ${missingSpace[2]}`);
      if (/:(\s|$)/.test(value) && code !== "BLOCK_IN_FLOW")
        return at(`put ${name} in quotes, it contains a colon`);
      if (code === "BLOCK_IN_FLOW") return at("put a comma between the settings inside { }");
      if (value.startsWith("? ")) return at(`put ${name} in quotes, it begins with ?`);
      if (/:(\s|$)/.test(rows[line] ?? "") && key !== undefined)
        return at(
          "this line begins in the wrong column: settings of one group begin in the same column",
          line + 1,
        );
      return at('this line has no colon: write a setting as "name: value"');
    case "BAD_INDENT": {
      const opened = openingBracket(rows, line);
      if (opened) return at(`the ${opened.bracket} has no closing ${opened.closing}`, opened.line);
      return at("this line begins in the wrong column: settings of one group begin in the same column");
    }
    case "MISSING_CHAR": {
      if (missingSpace) return at(`put a space after the colon: ${missingSpace[1]}: ${missingSpace[2]}`);
      const quote = /Missing closing (["'])/.exec(message)?.[1];
      if (quote !== undefined) {
        const start = rows.findLastIndex(
          (each, index) => index < line && new RegExp(`:\\s+${quote}`).test(each),
        );
        return at(`the quote ${quote} is never closed`, start < 0 ? line : start + 1);
      }
      const opened = openingBracket(rows, line);
      if (opened) return at(`the ${opened.bracket} has no closing ${opened.closing}`, opened.line);
      return at('this line has no colon: write a setting as "name: value"');
    }
    case "BAD_SCALAR_START":
      return at(`put ${name} in quotes, it begins with ${row[column - 1] ?? "a sign"}`);
    case "BAD_DQ_ESCAPE":
      return at(`write \\\\ for a backslash in ${name}, or use single quotes`);
    case "MULTIPLE_DOCS":
      return at("delete this line: --- and ... end the settings");
    case "UNEXPECTED_TOKEN": {
      const first = value[0] ?? "";
      if (first === "'") return at(`put ${name} in double quotes, it contains an apostrophe`);
      if (first === '"') return at(`put all of ${name} in single quotes, it contains double quotes`);
      if (first === "-") return at("begin a list on the next line, with a - before each entry");
      if (first !== "" && !/[\w]/.test(first)) return at(`put ${name} in quotes, it begins with ${first}`);
      return at("this line cannot be understood: put the text in quotes");
    }
    default:
      return at(
        "this line cannot be understood: put the text in quotes, or compare it with a file that works",
      );
  }
}

/** The bracket in or above a line that is still open there. */
function openingBracket(rows: string[], line: number) {
  for (let index = Math.min(line, rows.length) - 1; index >= 0; index -= 1) {
    const bracket = /(?::|-)\s+([[{])/.exec(rows[index] ?? "")?.[1];
    if (bracket !== undefined) return { bracket, closing: bracket === "[" ? "]" : "}", line: index + 1 };
  }
  return null;
}

/**
 * What is valid YAML and yet means something else than a writer thinks: signs that begin a reference, a tag or a comment
 * take words away without an error.
 */
export function slipsIn(document: Document, source: string, lines: LineCounter): Fault[] {
  const faults: Fault[] = [];
  const add = (offset: number, message: string) => faults.push({ line: lines.linePos(offset).line, message });
  const nameAt = (path: readonly unknown[]) => {
    const pair = path.at(-1);
    const key = typeof pair === "object" && pair !== null && "key" in pair ? pair.key : null;
    return isScalar(key) ? `the ${String(key.value)}` : "the text";
  };
  visit(document, {
    Node(_key, node, path) {
      if (!node.range) return;
      const name = nameAt(path);
      if (isAlias(node)) add(node.range[0], `put ${name} in quotes, it begins with *`);
      else if (node.anchor !== undefined) add(node.range[0], `put ${name} in quotes, it begins with &`);
      else if (node.tag !== undefined) add(node.range[0], `put ${name} in quotes, it begins with !`);
      else if (isScalar(node) && node.type === "PLAIN" && isCutByComment(source, node.range[1]))
        add(node.range[0], `put ${name} in quotes, or everything from # on is left out`);
      if (isMap(node))
        for (const key of repeatedKeys(node))
          add(key.offset, `${key.name} is there twice: delete one of them`);
    },
  });
  return faults.slice(0, maxFaults);
}

/** Found here and not by the parser, which compares each key with every other. */
function repeatedKeys(map: YAMLMap): { name: string; offset: number }[] {
  const seen = new Set<unknown>();
  return map.items.flatMap(({ key }) => {
    if (!isScalar(key) || !key.range) return [];
    const isRepeated = seen.has(key.value);
    seen.add(key.value);
    return isRepeated ? [{ name: String(key.value), offset: key.range[0] }] : [];
  });
}

/** Whether a # directly before a word follows in the same line. "Pier #6" is text; a comment has a space after its #. */
function isCutByComment(source: string, end: number): boolean {
  const lineEnd = source.indexOf("\n", end);
  return /^[ \t]*#[^\s#]/.test(source.slice(end, lineEnd < 0 ? undefined : lineEnd));
}
