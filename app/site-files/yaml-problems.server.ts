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

const maxSlips = 5;

const quotesMessage =
  "put text that contains special characters, such as : # ' & or [, in double quotes";

/**
 * Explains the first syntax error in YAML source. The others are often its consequences, in lines
 * that are correct.
 */
export function toSyntaxProblem(
  error: YAMLParseError,
  source: string,
  lines: LineCounter,
): YamlProblem {
  const { line } = lines.linePos(error.pos[0]);
  const row = source.split(/\r?\n/)[line - 1] ?? "";
  return { line, message: explainRow(row, error) };
}

/** Matches a line that gives a setting a value. The setting may be the first in a list entry. */
const settingPattern = /^\s*(?:- +)?([\w-]{1,40}):( *)(.*)$/;
/** The first characters of a value that mean something else in YAML than the text that they begin. */
const specialStart = /^[&*!%@`,|>?'"“”„‘’[{-]/;

function explainRow(row: string, { code, message }: YAMLParseError): string {
  if (/^ *\t/.test(row) || code === "TAB_AS_INDENT") return "indent with spaces, not with a tab";
  if (/^\s*-\w/.test(row)) return "put a space after the - of a list";
  if (/^Missing closing ["']|^Flow .* end with a/.test(message))
    return "in or above this line, a quote or bracket is never closed, or # without quotes hides its end";
  const [, key, space, value = ""] = settingPattern.exec(row) ?? [];
  if (key !== undefined && space === "" && value !== "") return `put a space after ${key}:`;
  if (specialStart.test(value) || /:(?:\s|$)/.test(value)) return quotesMessage;
  return 'write each setting as "name: value", in the same column as the others of its group';
}

/**
 * Finds valid YAML that does not mean what the editor intended, because a character begins a
 * reference, a tag or a comment and so removes text without an error, or because a key is repeated.
 */
export function findSlips(document: Document, source: string, lines: LineCounter): YamlProblem[] {
  const problems: YamlProblem[] = [];
  const add = (offset: number, message: string) =>
    problems.push({ line: lines.linePos(offset).line, message });
  visit(document, {
    Node(_key, node) {
      if (!node.range) return;
      const [start, end] = node.range;
      if (isAlias(node) || node.anchor !== undefined || node.tag !== undefined)
        add(start, quotesMessage);
      else if (isScalar(node) && node.type === "PLAIN" && isCutByComment(node.value, source, end))
        add(start, "put the text in double quotes, because everything after # is ignored");
      if (isMap(node))
        for (const key of findRepeatedKeys(node))
          add(key.offset, `${key.name} appears twice: delete one of them`);
    },
  });
  return problems.slice(0, maxSlips);
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

/**
 * Whether a comment takes the place of a value, as in "title: # 1 in the city", or a # directly
 * before a word follows it, as in "Pier #6". The editor meant this # as text, because a real comment
 * has a space after its #.
 */
function isCutByComment(value: unknown, source: string, end: number): boolean {
  const rest = source.slice(end, end + 100);
  return (value === null ? /^[ \t]*#/ : /^[ \t]*#[^\s#]/).test(rest);
}
