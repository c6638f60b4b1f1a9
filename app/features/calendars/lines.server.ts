/** One line of a calendar (RFC 5545, 3.1): a name, its parameters, a value. */
export type ContentLine = { name: string; params: ReadonlyMap<string, string>; value: string };

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const tab = 0x09;

/** No honest line is longer; what comes after is left out, so that one line cannot fill the memory. */
const maxLineBytes = 64 * 1024;

/** Marks of byte order and control characters, some of which no database takes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const noLetters = /[\u0000-\u0008\u000A-\u001F\u007F\uFEFF]/g;

/**
 * The lines of a calendar, one after the other and never all at once; null stands for one that cannot be understood.
 * Folded lines are put together as bytes, because some programs fold in the middle of a letter.
 */
export function* contentLines(body: Uint8Array): Generator<ContentLine | null> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const ending = bytes.includes(lineFeed) ? lineFeed : carriageReturn;
  let parts: Buffer[] = [];
  let size = 0;
  const finish = () => {
    const text = Buffer.concat(parts).toString("utf8").replaceAll(noLetters, "");
    parts = [];
    size = 0;
    return text;
  };
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(ending, start);
    const next = found === -1 ? bytes.length : found;
    const end = next > start && bytes[next - 1] === carriageReturn ? next - 1 : next;
    const isFolded = bytes[start] === space || bytes[start] === tab;
    if (!isFolded && size > 0) yield parseLine(finish());
    const part = bytes.subarray(isFolded ? start + 1 : start, end);
    if (size + part.length <= maxLineBytes) {
      parts.push(part);
      size += part.length;
    }
    start = next + 1;
  }
  if (size > 0) yield parseLine(finish());
}

const value = '(?:"[^"]*"|[^";:,]*)';
const values = `${value}(?:,${value})*`;
const lineShape = new RegExp(`^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=${values})*):(.*)$`, "s");
const paramShape = new RegExp(`;([A-Za-z0-9-]+)=(${values})`, "g");

export function parseLine(text: string): ContentLine | null {
  const match = lineShape.exec(text);
  if (!match) return null;
  const [, name = "", params = "", content = ""] = match;
  return {
    name: name.toUpperCase(),
    params: new Map(
      [...params.matchAll(paramShape)].map(([, key = "", given = ""]) => [
        key.toUpperCase(),
        given.replace(/^"(.*)"$/s, "$1"),
      ]),
    ),
    value: content,
  };
}

/** A text as it was before it was written into a calendar (RFC 5545, 3.3.11). */
export function unescapeText(text: string): string {
  return text.replaceAll(/\\([\\;,nN])/g, (_, letter: string) => (/n/i.test(letter) ? "\n" : letter));
}
