import { constants, open } from "node:fs/promises";

type ReadResult =
  | { kind: "text"; text: string }
  | { kind: "missing" }
  | { kind: "refused"; message: string };

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

const refuse = (message: string): ReadResult => ({ kind: "refused", message });

/** Decodes UTF-8, and drops a byte order mark at the beginning. */
function decode(bytes: Buffer): ReadResult {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? refuse("this is not a text file") : { kind: "text", text };
  } catch {
    return refuse(
      'the file is not UTF-8: save it again with UTF-8 encoding (in most editors: "Save as", then "Encoding")',
    );
  }
}
