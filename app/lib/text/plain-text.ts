/**
 * A text without what only terminals and mail programs understand: control characters, such as
 * those that colour a terminal or rename its window, and marks that turn the direction of reading.
 * Lines end alike.
 */
export const stripControlCharacters = (text: string) =>
  text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, "")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");

/** The same in one line. */
export const toSafeLine = (text: string) =>
  stripControlCharacters(text).replaceAll(/\s+/g, " ").trim();

/** Letters that are written from right to left. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/**
 * U+061C, U+200E and U+200F set the direction of a neighbor such as a number; they cannot turn
 * other text around.
 */
const directionMark = /[\u061c\u200e\u200f]+/g;
/**
 * Joiners shape letters in Persian, Arabic and Indic scripts and join emoji; behind a Latin, Greek
 * or Cyrillic letter, a space or another joiner they are only invisible. The tags that follow a
 * black flag make the flag of Scotland.
 */
const hidden =
  /(\u{1f3f4}[\u{e0061}-\u{e007a}]{2,6}\u{e007f})|(?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])([\u200c\u200d])|[\p{Cc}\u00ad\u200b-\u200d\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * One line without what a reader cannot see: control characters, and marks that hide letters or
 * turn the direction of the page around them. What belongs to a script stays.
 */
export function toVisibleLine(text: string): string {
  const keepsMarks = rightToLeft.test(text);
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(hidden, "$1$2")
    .replaceAll(directionMark, (marks) => (keepsMarks ? marks.charAt(0) : ""))
    .trim();
}
