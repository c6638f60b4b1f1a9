/** A change of a text: the characters from `from` up to `to` become `mark`. */
export type Edit = { from: number; to: number; mark: string };

/**
 * Returns the text with typographic quotes, primes and dashes. URLs, email addresses and `code`
 * stay as typed. Each step takes time proportional to the length of the text.
 */
export const toTypographic = (text: string): string => applyEdits(text, findEdits(text));

/** Returns the changed text. Its first character is at `start` in the text that the edits count. */
export function applyEdits(text: string, edits: Edit[], start = 0): string {
  let [result, done] = ["", 0];
  for (const { from, to, mark } of edits) {
    result += text.slice(done, from - start) + mark;
    done = to - start;
  }
  return result + text.slice(done);
}

const typed = /['"]|-{2,3}|(?<=\S )-(?= \S)/g;
const mayNeedEdits = /['"]|--| - /;

/** Finds what has to change in a text, in the order of the text. */
export function findEdits(text: string): Edit[] {
  if (!mayNeedEdits.test(text)) return [];
  const literals = findLiterals(text);
  let literal = literals.next().value;
  const choose = createChooser(text);
  return [...text.matchAll(typed)].flatMap(({ 0: match, index: from }) => {
    const to = from + match.length;
    while (literal && literal.to <= from) literal = literals.next().value;
    const mark = literal && literal.from <= from ? null : choose(match, from, to);
    return mark === null ? [] : [{ from, to, mark }];
  });
}

/** Finds `code`, URLs and email addresses, without the quotes and punctuation around them. */
function* findLiterals(text: string): Generator<{ from: number; to: number }, undefined> {
  if (!/`|:\/\/|www\.|@/.test(text)) return;
  for (const { 0: token, index } of text.matchAll(/`[^`\n]*`|[^\s`]+/g)) {
    const isCode = token.startsWith("`");
    if (isCode) yield { from: index, to: index + token.length };
    if (isCode || !/:\/\/|www\.|.@./.test(token)) continue;
    const start = /^["'(]*/.exec(token)?.[0].length ?? 0;
    let end = token.length;
    while (/["').,;:!?]/.test(token.charAt(end - 1))) end -= 1;
    yield { from: index + start, to: index + end };
  }
}

const isDigit = (character: string) => /^\d$/.test(character);
const isWordCharacter = (character: string) => /^[\p{L}\p{N}]$/u.test(character);
/**
 * Whether a quote after this character opens: after a space, a bracket, a dash or another quote.
 */
const mayOpenAfter = (character: string) => /^[\s([{/—–“‘-]?$/.test(character);
const isSpaceOrEnd = (character: string) => /^\s?$/.test(character);

/** Words that begin with an apostrophe: 'n', '90s, 'tis. */
const elision = /^'(?:n'?|\d\ds?(?! \p{Ll})|tis|twas|twere|em|til)(?![\p{L}\p{N}])/iu;
const inchesAhead = /^ ?\d{1,2}(?:\.\d{1,2})?"/;
const feetBehind = /\d['′] ?\d{1,2}(?:\.\d{1,2})?$/;
/** No elision and no height is longer than this. */
const contextLength = 12;

/** Returns a function that chooses the mark for each typed one, in the order of the text. */
function createChooser(text: string) {
  let isDoubleOpen = false;
  let isSingleOpen = false;
  let last = { to: 0, mark: "" };
  const lastClosing = findLastClosing(text);

  const chooseDouble = (before: string, from: number) => {
    const next = text.indexOf('"', from + 1);
    const beforeNext = text.charAt(next - 1);
    // In "a 12" pipe", the next quote is the one that closes.
    const isClosedLater = next > 0 && !mayOpenAfter(beforeNext) && !isDigit(beforeNext);
    const isInches =
      isDigit(before) &&
      (!isDoubleOpen || isClosedLater || feetBehind.test(text.slice(from - contextLength, from)));
    if (isInches) return "″";
    isDoubleOpen =
      mayOpenAfter(before) && (isSpaceOrEnd(text.charAt(from + 1)) ? !isDoubleOpen : true);
    return isDoubleOpen ? "“" : "”";
  };

  const chooseSingle = (before: string, from: number) => {
    const after = text.charAt(from + 1);
    if (isDigit(before) && !/^\p{L}$/u.test(after)) {
      const rest = text.slice(from + 1, from + 1 + contextLength);
      if (!isSingleOpen || isDigit(after) || inchesAhead.test(rest)) return "′";
    }
    const isOpening =
      mayOpenAfter(before) &&
      !isSpaceOrEnd(after) &&
      from < lastClosing &&
      !elision.test(text.slice(from, from + contextLength));
    if (!isWordCharacter(after)) isSingleOpen = false;
    if (isOpening) isSingleOpen = true;
    return isOpening ? "‘" : "’";
  };

  return (match: string, from: number, to: number): string | null => {
    const before = last.to === from ? last.mark : text.charAt(from - 1);
    const mark =
      match === '"'
        ? chooseDouble(before, from)
        : match === "'"
          ? chooseSingle(before, from)
          : match === "-"
            ? chooseSpaced(text.slice(0, from - 1), text.slice(to + 1))
            : chooseDash(before, text.charAt(to));
    if (mark !== null) last = { to, mark };
    return mark;
  };
}

/** Returns the last place where a single quote can close. Without one, no single quote opens. */
function findLastClosing(text: string): number {
  let at = text.lastIndexOf("'");
  const isClosing = () =>
    !mayOpenAfter(text.charAt(at - 1)) && !isWordCharacter(text.charAt(at + 1));
  while (at > 0 && !isClosing()) at = text.lastIndexOf("'", at - 1);
  return at;
}

/**
 * Between numbers, two hyphens mean a range. An option of a command, such as --all, is not a dash.
 */
function chooseDash(before: string, after: string): string | null {
  if (isDigit(before) && isDigit(after)) return "–";
  if (/^[-=>]$/.test(before) || /^[-=>]$/.test(after)) return null;
  return isSpaceOrEnd(before) && !isSpaceOrEnd(after) ? null : "—";
}

const rangeWord =
  "(?:\\d[\\d:.,]*(?:st|nd|rd|th)?|[ap]\\.?m\\.?|\\d+[ap]m|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\\.?|january|february|march|april|may|june|july|august|september|october|november|december)";
const endsWithRangeWord = new RegExp(`(?:^|[\\s$(])${rangeWord}$`, "i");
const beginsWithRangeWord = new RegExp(`^\\$?${rangeWord}(?![\\p{L}\\p{N}])`, "iu");

/** A hyphen between spaces is a dash, or the sign of a range: "9 am – 5 pm". */
const chooseSpaced = (before: string, after: string) =>
  endsWithRangeWord.test(before.slice(-contextLength)) &&
  beginsWithRangeWord.test(after.slice(0, contextLength))
    ? "–"
    : "—";
