/**
 * Repeats a part of a text so often that a function which reads the rest of the text again for each
 * part needs 3 · 10¹¹ steps, so it exceeds the time limit of the test. A function that reads each
 * character a fixed number of times needs only a fraction of a second. So the result does not depend
 * on the speed of the machine.
 */
export const repeatVeryOften = (part: string): string =>
  part.repeat(Math.ceil(50_000 / Math.sqrt(part.length)));
