/**
 * In characters. More never fits on an image, and the limit comes first, so that a long text from
 * another server cannot make the next steps slow.
 */
const maxLength = 300;
/** No language writes more marks than this on one letter. */
const maxMarks = 4;

const whitespace = /[\t\n\v\f\r\p{Z}]+/gu;
/**
 * Control, private and unassigned characters, lone surrogates and invisible characters. Among these
 * are the characters that change the direction of text, which the Unicode algorithm does not need.
 * Exceptions are the joiners of Arabic and emoji, and the tags that spell the region of a flag.
 */
const invisible =
  /(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])(?:\p{C}|\u034f|[\u115f\u1160\u3164\uffa0])/gu;
/** Tags are only valid after a black flag. */
const strayTags = /(?<![\u{1f3f4}\u{e0020}-\u{e007f}])[\u{e0020}-\u{e007f}]+/gu;
const excessMarks = new RegExp(`(\\p{M}{${maxMarks}})\\p{M}+`, "gu");

export function cleanText(text: string): string {
  const isCut = text.length > maxLength;
  const cleaned = text
    .slice(0, maxLength)
    .normalize("NFC")
    .replace(whitespace, " ")
    .replace(invisible, "")
    .replace(strayTags, "")
    .replace(excessMarks, "$1")
    .trim();
  return isCut && cleaned !== "" ? `${cleaned}…` : cleaned;
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Splits a text into what readers see as characters, such as an emoji of several code points. */
export const splitGraphemes = (text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);
