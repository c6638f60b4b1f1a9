/**
 * Repeats a part of a text so often that a function with exponential or cubic cost never ends, and
 * one that reads the rest of the text again for each part takes many seconds, which shows in the
 * list of the slowest files. A function that reads each character a fixed number of times takes a
 * fraction of a second.
 */
export const repeatVeryOften = (part: string): string =>
  part.repeat(Math.ceil(50_000 / Math.sqrt(part.length)));
