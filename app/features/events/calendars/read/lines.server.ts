/** One line of a calendar (RFC 5545, 3.1): a name, parameters and a value. */
export type ContentLine = { name: string; params: ReadonlyMap<string, string>; value: string };

/** The rest of a longer line is dropped, so that a hostile line cannot fill the memory. */
const maxLineBytes = 64 * 1024;

/**
 * Yields the lines of a calendar, without empty ones. Calendars fold a long line into several, of
 * which all but the first begin with a space or a tab; these are joined again. Each character of a
 * line is one byte (Latin-1), because some programs fold in the middle of a character, and because
 * the parser skips most lines without decoding them.
 */
export function* unfoldedLines(body: Uint8Array): Generator<string> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
  const [fold, line] = bytes.includes("\n") ? [/\r?\n[ \t]/g, /[^\n]+/g] : [/\r[ \t]/g, /[^\r]+/g];
  for (const [text] of bytes.replaceAll(fold, "").matchAll(line))
    if (text !== "\r") yield text.slice(0, maxLineBytes);
}

/**
 * Returns the name at the start of a line, in uppercase, or null for a line without a name. A line
 * with a longer name is not a calendar line.
 */
export const propertyName = (line: string): string | null =>
  /^[A-Za-z0-9-]{1,64}(?=[:;])/.exec(line)?.[0].toUpperCase() ?? null;

const paramValue = '(?:"[^"]*"|[^";:,]*)';
const paramValues = `${paramValue}(?:,${paramValue})*`;
const linePattern = new RegExp(`^[A-Za-z0-9-]+((?:;[A-Za-z0-9-]+=${paramValues})*):(.*)$`, "s");
const paramPattern = new RegExp(`;([A-Za-z0-9-]+)=(${paramValues})`, "g");

/** Byte order marks and control characters. Postgres refuses to store some of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters
const controlCharacters = /[\u0000-\u0008\u000A-\u001F\u007F\uFEFF]/g;

const noParams: ContentLine["params"] = new Map();

/** Parses a line that starts with this name. Returns null if its parameters are invalid. */
export function parseLine(line: string, name: string): ContentLine | null {
  const text = Buffer.from(line, "latin1").toString("utf8").replaceAll(controlCharacters, "");
  if (text[name.length] === ":")
    return { name, params: noParams, value: text.slice(name.length + 1) };
  const match = linePattern.exec(text);
  if (!match) return null;
  const [, params = "", content = ""] = match;
  return {
    name,
    params: new Map(
      [...params.matchAll(paramPattern)].map(([, key = "", text = ""]) => [
        key.toUpperCase(),
        text.replace(/^"(.*)"$/s, "$1"),
      ]),
    ),
    value: content,
  };
}

/** Unescapes text from a calendar (RFC 5545, 3.3.11). */
export function unescapeText(text: string): string {
  return text.replaceAll(/\\([\\;,nN])/g, (_, character: string) =>
    /n/i.test(character) ? "\n" : character,
  );
}
