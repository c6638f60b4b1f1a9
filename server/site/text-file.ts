import { constants, open } from "node:fs/promises";

type ReadResult =
  | { kind: "text"; text: string }
  | { kind: "missing" }
  | { kind: "refused"; line: number; message: string };

/** Reads a text file that people edit. A file that is too large is not read at all. */
export async function readText(path: string, maxKilobytes: number): Promise<ReadResult> {
  // The file is opened without blocking, because opening a pipe would otherwise block a thread
  // until a writer opens the pipe, which may never happen.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => error);
  if (file instanceof Error) {
    if (file.code === "ENOENT" || file.code === "ENOTDIR") return { kind: "missing" };
    return refuse(
      `the server cannot read this file (${file.code}): check its owner and permissions`,
    );
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile())
      return refuse(
        `this is a ${stats.isDirectory() ? "folder" : "device or pipe"}, but the site needs a file with this name`,
      );
    const kilobytes = Math.ceil(stats.size / 1024);
    if (kilobytes > maxKilobytes)
      return refuse(
        `the file is ${kilobytes.toLocaleString("en-US")} KB, and the limit is ${maxKilobytes} KB: split it, or check whether an image was pasted into it`,
      );
    return decode(await file.readFile());
  } finally {
    await file.close();
  }
}

const refuse = (message: string, line = 0): ReadResult => ({ kind: "refused", line, message });

const encodingAdvice =
  'save it again with UTF-8 encoding (in most editors: "Save as", then "Encoding")';

/** Decodes UTF-8, and drops a byte order mark at the beginning. */
function decode(bytes: Buffer): ReadResult {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return refuse(`the file is saved as UTF-16: ${encodingAdvice}`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return findDamage(text) ?? { kind: "text", text };
  } catch {
    return refuse(...describeInvalidByte(bytes));
  }
}

/** Finds signs that the file is not text, has a merge conflict or was damaged by a conversion. */
function findDamage(text: string): ReadResult | null {
  if (text.includes("\0")) return refuse("this is not a text file");
  const conflict = /^<{7} /m.exec(text);
  if (conflict && /^>{7} /m.test(text))
    return refuse(
      "this is an unresolved merge conflict: keep one version and delete the lines with <<<<<<<, ======= and >>>>>>>",
      lineNumber(text, conflict.index),
    );
  const lostAt = text.indexOf("\ufffd");
  if (lostAt < 0) return null;
  const word = /\S{0,20}$/.exec(text.slice(Math.max(0, lostAt - 20), lostAt))?.[0] ?? "";
  return refuse(`a character was lost in "${word}\ufffd": type it again`, lineNumber(text, lostAt));
}

const lineNumber = (text: string, offset: number) => text.slice(0, offset).split("\n").length;

/**
 * Returns a message about the first byte that is not UTF-8, with the word around it decoded as
 * Windows-1252, and its line.
 */
function describeInvalidByte(bytes: Buffer): [message: string, line: number] {
  // The number of valid bytes before the first replacement character.
  const offset = Buffer.byteLength(bytes.toString("utf8").split("\ufffd", 1)[0] ?? "");
  const around = new TextDecoder("windows-1252").decode(
    bytes.subarray(Math.max(0, offset - 20), offset + 20),
  );
  const at = Math.min(20, offset);
  const before = /[^\s"':]*$/.exec(around.slice(0, at))?.[0] ?? "";
  const after = /^[^\s"':]*/.exec(around.slice(at))?.[0] ?? "";
  const line = bytes.subarray(0, offset).toString("latin1").split("\n").length;
  return [`the file is not UTF-8 (near "${before}${after}"): ${encodingAdvice}`, line];
}
