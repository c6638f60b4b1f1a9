/** One line of a calendar (RFC 5545, 3.1): a name, parameters and a value. */
export type ContentLine = { name: string; params: ReadonlyMap<string, string>; value: string };

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const tab = 0x09;

/** The rest of a longer line is dropped, so that a hostile line cannot fill the memory. */
const maxLineBytes = 64 * 1024;

/**
 * Yields the lines of a calendar, without empty ones. Calendars fold a long line into several, of
 * which all but the first begin with a space or a tab; these are joined again. The lines are bytes
 * and not strings, because some programs fold in the middle of a character, and because the parser
 * skips most lines without decoding them.
 */
export function* unfoldedLines(body: Uint8Array): Generator<Buffer> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const ending = bytes.includes(lineFeed) ? lineFeed : carriageReturn;
  let parts: Buffer[] = [];
  let size = 0;
  for (let next = 0; next < bytes.length; next += 1) {
    const isFolded = bytes[next] === space || bytes[next] === tab;
    const start = isFolded ? next + 1 : next;
    while (next < bytes.length && bytes[next] !== ending) next += 1;
    const end = next > start && bytes[next - 1] === carriageReturn ? next - 1 : next;
    if (end <= start) continue;
    if (!isFolded && size > 0) {
      yield Buffer.concat(parts);
      parts = [];
      size = 0;
    }
    const part = bytes.subarray(start, Math.min(end, start + maxLineBytes - size));
    if (part.length > 0) parts.push(part);
    size += part.length;
  }
  if (size > 0) yield Buffer.concat(parts);
}

/** A line with a longer name is not a calendar line. */
const maxNameLength = 64;

/** Returns the name at the start of a line, in uppercase, or null for a line without a name. */
export function propertyName(line: Buffer): string | null {
  const start = line.toString("latin1", 0, maxNameLength);
  return /^[A-Za-z0-9-]+(?=[:;])/.exec(start)?.[0].toUpperCase() ?? null;
}

const paramValue = '(?:"[^"]*"|[^";:,]*)';
const paramValues = `${paramValue}(?:,${paramValue})*`;
const linePattern = new RegExp(`^[A-Za-z0-9-]+((?:;[A-Za-z0-9-]+=${paramValues})*):(.*)$`, "s");
const paramPattern = new RegExp(`;([A-Za-z0-9-]+)=(${paramValues})`, "g");

/** Byte order marks and control characters. Postgres refuses to store some of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters
const controlCharacters = /[\u0000-\u0008\u000A-\u001F\u007F\uFEFF]/g;

const noParams: ContentLine["params"] = new Map();

/** Parses a line that starts with this name. Returns null if its parameters are invalid. */
export function parseLine(line: Buffer, name: string): ContentLine | null {
  const text = line.toString("utf8").replaceAll(controlCharacters, "");
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
