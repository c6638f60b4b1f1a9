import createBidi from "bidi-js";
import { splitGraphemes } from "./clean-text.ts";
import { type FontStack, type Glyph, openTypeface, type Typeface } from "./fonts.server.ts";

const bidi = createBidi();

export type BaseDirection = "ltr" | "rtl";

/** A line of text as glyphs from left to right. Lengths are in ems. */
export type ShapedText = { width: number; glyphs: (Glyph & { left: number })[] };

/** Characters that only change how their neighbors look: joiners and variation selectors. */
const modifiers = /\u200c|\u200d|[\ufe00-\ufe0f]/gu;
const emojiPresentation = /\p{Emoji_Presentation}|\ufe0f/u;
const neutral = /^[\p{P}\p{Zs}\p{N}]+$/u;

type FontRun = { typeface: Typeface; text: string };

/**
 * A character that no font has is replaced by an equivalent, such as a plain letter, or left out.
 */
function splitByFont(text: string, stack: FontStack): FontRun[] {
  const runs: FontRun[] = [];
  const graphemes = splitGraphemes(text);
  // A bracket or quotation mark at the beginning has the same font as the word after it.
  const firstWord = graphemes.find((grapheme) => !neutral.test(grapheme));
  const first = firstWord === undefined ? undefined : findTypeface(firstWord, stack)?.typeface;
  for (const grapheme of graphemes) {
    const last = runs.at(-1);
    const found = findTypeface(grapheme, stack, last?.typeface ?? first);
    if (!found) continue;
    if (last?.typeface === found.typeface) last.text += found.text;
    else runs.push(found);
  }
  return runs;
}

function findTypeface(grapheme: string, stack: FontStack, neighbor?: Typeface | undefined) {
  const fonts = emojiPresentation.test(grapheme) ? (["emoji", ...stack] as const) : stack;
  const typefaces = fonts.map(openTypeface);
  // Spaces and punctuation between the words of a font stay in this font, where their spacing fits.
  const canContinue = neighbor && neighbor.name !== "emoji" && neutral.test(grapheme);
  const preferred = canContinue ? [neighbor, ...typefaces] : typefaces;
  for (const text of [grapheme, grapheme.normalize("NFKC"), withoutMarks(grapheme)]) {
    const typeface = preferred.find((each) => covers(each, text));
    if (typeface) return { typeface, text };
  }
  return null;
}

const covers = (typeface: Typeface, text: string) => {
  const visible = text.replace(modifiers, "");
  return (
    visible !== "" &&
    Array.from(visible).every((character) => typeface.covers(character.codePointAt(0) ?? 0))
  );
};

const withoutMarks = (text: string) => text.normalize("NFKD").replace(/\p{M}+/gu, "");

export const drawableText = (text: string, stack: FontStack): string =>
  splitByFont(text, stack)
    .map((run) => run.text)
    .join("")
    .replace(/ +/g, " ")
    .trim();

/** Astral characters. The library knows the direction of the others only. */
const astral = /[\u{10000}-\u{10ffff}]/gu;
/** A character of two code units, like those that it replaces, which has no direction. */
const directionless = "\ufffc\ufffc";

const findLevels = (text: string, direction: BaseDirection | "auto") =>
  bidi.getEmbeddingLevels(text.replace(astral, directionless), direction);

/** The direction of a text, which is that of its first letter. */
export const findDirection = (text: string): BaseDirection =>
  (findLevels(text, "auto").paragraphs[0]?.level ?? 0) % 2 === 1 ? "rtl" : "ltr";

/** Arabic letters are joined, so spacing between them would tear words apart. */
const isJoined = ({ name }: Typeface) => name === "arabic";

/** Shapes one line. `letterSpacing` is in ems. */
export function shapeText(
  text: string,
  stack: FontStack,
  direction: BaseDirection,
  letterSpacing = 0,
): ShapedText {
  const line: ShapedText = { width: 0, glyphs: [] };
  for (const { typeface, text: runText, isRightToLeft } of orderRuns(text, stack, direction))
    for (const glyph of typeface.shape(runText, isRightToLeft)) {
      line.glyphs.push({ ...glyph, left: line.width });
      line.width += glyph.advance;
      if (glyph.advance > 0 && !isJoined(typeface)) line.width += letterSpacing;
    }
  return line;
}

type DirectedRun = FontRun & { isRightToLeft: boolean; level: number };

/** Splits a line into runs of one font and one direction, from left to right. */
function orderRuns(text: string, stack: FontStack, direction: BaseDirection): DirectedRun[] {
  const { levels } = findLevels(text, direction);
  const runs: DirectedRun[] = [];
  let start = 0;
  for (let end = 1; end <= text.length; end += 1) {
    if (end < text.length && levels[end] === levels[start]) continue;
    const level = levels[start] ?? 0;
    for (const run of splitByFont(text.slice(start, end), stack))
      runs.push({ ...run, level, isRightToLeft: level % 2 === 1 });
    start = end;
  }
  return reverseByLevel(runs);
}

/** Rule L2 of the Unicode bidirectional algorithm, for runs. */
function reverseByLevel(runs: DirectedRun[]): DirectedRun[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1)
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while (end < ordered.length && (ordered[end]?.level ?? 0) >= level) end += 1;
      if (end - start > 1)
        ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  return ordered;
}
