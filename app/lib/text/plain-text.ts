/**
 * Removes control characters, such as those that color a terminal or rename its window, and marks
 * that change the direction of the text. Normalizes line breaks.
 */
export const stripControlCharacters = (text: string) =>
  text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, "")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");

/** Removes control characters like `stripControlCharacters`, and puts the text on one line. */
export const toSafeLine = (text: string) =>
  stripControlCharacters(text).replaceAll(/\s+/g, " ").trim();

/** Letters of scripts that are written from right to left. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** These marks only set the direction of an adjacent character. They cannot reverse other text. */
const directionMark = /[\u061c\u200e\u200f]+/g;
/**
 * Invisible characters. Joiners are needed in Persian, Arabic and Indic scripts and in emoji; after
 * a Latin, Greek or Cyrillic letter, a space or another joiner they have no effect and are removed.
 * Tag characters after a black flag emoji form the flag of Scotland, for example, and stay.
 */
const hidden =
  /(\u{1f3f4}[\u{e0061}-\u{e007a}]{2,6}\u{e007f})|(?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])([\u200c\u200d])|[\p{Cc}\u00ad\u200b-\u200d\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * Removes everything invisible from a line: control characters, and marks that hide letters or
 * change the direction of the text around them. Characters that a script needs stay.
 */
export function toVisibleLine(text: string): string {
  const shouldKeepMarks = rightToLeft.test(text);
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(hidden, "$1$2")
    .replaceAll(directionMark, (marks) => (shouldKeepMarks ? marks.charAt(0) : ""))
    .trim();
}
