import { splitGraphemes } from "./clean-text.ts";
import type { FontStack } from "./fonts.server.ts";
import {
  type BaseDirection,
  drawableText,
  findDirection,
  type ShapedText,
  shapeText,
} from "./shape-text.server.ts";

type Box = {
  width: number;
  height: number;
  maxLines: number;
  /** Font sizes in pixels, from the largest to the smallest. */
  sizes: number[];
  /** The distance between two baselines, in ems. */
  lineHeight: number;
  letterSpacing?: number;
};

export type FittedText = {
  size: number;
  direction: BaseDirection;
  lines: ShapedText[];
};

/** A part of the text that a line break does not divide. Widths are in ems. */
type Word = { text: string; width: number; hasSpaceBefore: boolean };

/** A line may break at a space, and after a hyphen, dash or slash in the middle of a long word. */
const wordPattern = /[^ ]{3,}?[-–—/](?=\p{L}{2})|[^ ]+/gu;

/**
 * Uses the largest size in which the whole text fits, otherwise the smallest size with an ellipsis.
 */
export function fitText(text: string, stack: FontStack, box: Box): FittedText {
  const drawable = drawableText(text, stack);
  const direction = findDirection(drawable);
  const measure = (part: string) => shapeText(part, stack, direction, box.letterSpacing).width;
  const space = measure("a a") - 2 * measure("a");
  const words = Array.from(drawable.matchAll(wordPattern), (match): Word => {
    const hasSpaceBefore = match.index > 0 && drawable[match.index - 1] === " ";
    return { text: match[0], width: measure(match[0]), hasSpaceBefore };
  });
  const finish = (size: number, lines: Word[][]): FittedText => ({
    size,
    direction,
    lines: lines.map((line) => shapeText(joinWords(line), stack, direction, box.letterSpacing)),
  });
  const widestWord = Math.max(0, ...words.map(({ width }) => width));

  for (const size of box.sizes) {
    const maxWidth = box.width / size;
    if (widestWord > maxWidth) continue;
    const lines = balanceLines(words, maxWidth, space);
    if (lines.length <= countLines(box, size)) return finish(size, lines);
  }

  const size = box.sizes.at(-1) ?? 1;
  const maxWidth = box.width / size;
  const pieces = words.flatMap((word) => splitWord(word, maxWidth, measure));
  const lines = breakLines(pieces, maxWidth, space);
  const maxLines = countLines(box, size);
  if (lines.length <= maxLines) return finish(size, lines);
  const last = lines[maxLines - 1] ?? [];
  const cut = cutToWidth(joinWords(last), maxWidth, measure);
  const ending = [{ text: cut, width: measure(cut), hasSpaceBefore: false }];
  return finish(size, [...lines.slice(0, maxLines - 1), ending]);
}

const countLines = ({ height, lineHeight, maxLines }: Box, size: number) =>
  Math.max(1, Math.min(maxLines, Math.floor(height / (size * lineHeight))));

const joinWords = (words: Word[]) =>
  words
    .map(({ text, hasSpaceBefore }, index) => (hasSpaceBefore && index > 0 ? ` ${text}` : text))
    .join("");

function breakLines(words: Word[], maxWidth: number, space: number): Word[][] {
  const lines: Word[][] = [];
  let width = 0;
  for (const word of words) {
    const line = lines.at(-1);
    const added = (word.hasSpaceBefore ? space : 0) + word.width;
    if (line && width + added <= maxWidth) {
      line.push(word);
      width += added;
    } else {
      lines.push([word]);
      width = word.width;
    }
  }
  return lines;
}

/**
 * Breaks lines so that they have similar lengths: with the smallest width that needs no more lines,
 * as `text-wrap: balance` does.
 */
function balanceLines(words: Word[], maxWidth: number, space: number): Word[][] {
  let lines = breakLines(words, maxWidth, space);
  let [tooNarrow, width] = [0, maxWidth];
  for (let step = 0; step < 8; step += 1) {
    const middle = (tooNarrow + width) / 2;
    const narrower = breakLines(words, middle, space);
    if (narrower.length > lines.length) tooNarrow = middle;
    else [lines, width] = [narrower, middle];
  }
  return lines;
}

/**
 * Splits a word that is wider than a line. The width of a piece is estimated from its characters,
 * because measuring every possible piece would take too long.
 */
function splitWord(word: Word, maxWidth: number, measure: (text: string) => number): Word[] {
  if (word.width <= maxWidth) return [word];
  const pieces: Word[] = [];
  for (const grapheme of splitGraphemes(word.text)) {
    const width = measure(grapheme);
    const piece = pieces.at(-1);
    if (piece && piece.width + width <= maxWidth) {
      piece.text += grapheme;
      piece.width += width;
    } else
      pieces.push({
        text: grapheme,
        width,
        hasSpaceBefore: pieces.length === 0 && word.hasSpaceBefore,
      });
  }
  return pieces;
}

/** Shortens a line until it fits together with an ellipsis, at the end of a word if possible. */
function cutToWidth(line: string, maxWidth: number, measure: (text: string) => number): string {
  const graphemes = splitGraphemes(line.replace(/…$/u, ""));
  const textUntil = (end: number) =>
    `${graphemes
      .slice(0, end)
      .join("")
      .replace(/[\s\p{P}]+$/u, "")}…`;
  let [end, tooLong] = [1, graphemes.length + 1];
  while (tooLong - end > 1) {
    const middle = Math.floor((end + tooLong) / 2);
    if (measure(textUntil(middle)) <= maxWidth) end = middle;
    else tooLong = middle;
  }
  const atWord = graphemes.slice(0, end).lastIndexOf(" ");
  const isInsideWord = end < graphemes.length && graphemes[end] !== " ";
  // Half a word is better than a line that is nearly empty.
  return textUntil(isInsideWord && atWord > end / 2 ? atWord : end);
}

export const fitLine = (
  text: string,
  stack: FontStack,
  line: { width: number; size: number; letterSpacing?: number },
): FittedText =>
  fitText(text, stack, {
    height: line.size,
    maxLines: 1,
    lineHeight: 1,
    sizes: [line.size],
    ...line,
  });
