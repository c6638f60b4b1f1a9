/**
 * A text without what only terminals and mail programs understand: control characters, such as those that colour a
 * terminal or rename its window, and marks that turn the direction of reading. Lines end alike.
 */
export const plainText = (text: string) =>
  text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, "")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");

/** The same in one line. */
export const plainLine = (text: string) => plainText(text).replaceAll(/\s+/g, " ").trim();
