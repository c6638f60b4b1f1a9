/**
 * Archives have the format of `tar` (POSIX ustar), so that backups can be unpacked without
 * Harborline. Only regular files are supported.
 */
export type Entry = { name: string; content: Buffer };

const blockBytes = 512;
/** The fields of a header, with the offset of the first byte and the length of each. */
const fields = {
  name: [0, 100],
  mode: [100, 8],
  owner: [108, 8],
  group: [116, 8],
  size: [124, 12],
  time: [136, 12],
  sum: [148, 8],
  kind: [156, 1],
  magic: [257, 8],
  folder: [345, 155],
} as const;

/** The largest entry, because an entry is held in memory. It is several hours of radio. */
export const maxEntryBytes = 512 * 1024 * 1024;

export const tarEnd = Buffer.alloc(2 * blockBytes);

export function encodeTarEntry({ name, content }: Entry, time: Date): Buffer {
  const header = Buffer.alloc(blockBytes);
  const writeField = (field: keyof typeof fields, text: string) =>
    header.write(text, fields[field][0], "utf8");
  const toOctal = (value: number, length: number) =>
    `${value.toString(8).padStart(length - 1, "0")}\0`;
  const [folder, rest] = splitName(name);
  writeField("name", rest);
  writeField("folder", folder);
  writeField("mode", toOctal(0o600, 8));
  writeField("owner", toOctal(0, 8));
  writeField("group", toOctal(0, 8));
  writeField("size", toOctal(content.length, 12));
  writeField("time", toOctal(Math.floor(time.getTime() / 1000), 12));
  writeField("kind", "0");
  writeField("magic", "ustar\x0000");
  writeField("sum", `${checksum(header).toString(8).padStart(6, "0")}\0 `);
  return Buffer.concat([header, content, Buffer.alloc(countPadding(content.length))]);
}

/** Splits a long name at a slash, because it is stored in two fields. */
function splitName(name: string): [string, string] {
  const fits = (text: string, field: "name" | "folder") =>
    Buffer.byteLength(text) <= fields[field][1];
  if (fits(name, "name")) return ["", name];
  for (let at = name.indexOf("/"); at !== -1; at = name.indexOf("/", at + 1)) {
    const [folder, rest] = [name.slice(0, at), name.slice(at + 1)];
    if (fits(folder, "folder") && fits(rest, "name")) return [folder, rest];
  }
  throw new Error(`The path ${name} is too long for a tar archive.`);
}

/**
 * Reads an archive entry by entry. Throws if the input is not an archive, is incomplete, or has an
 * entry that is too large.
 */
export async function* readTar(
  chunks: AsyncIterable<Buffer>,
  maxBytes = maxEntryBytes,
): AsyncGenerator<Entry> {
  const source = chunks[Symbol.asyncIterator]();
  let buffered: Buffer[] = [];
  let length = 0;
  const readBytes = async (size: number): Promise<Buffer> => {
    while (length < size) {
      const { value, done } = await source.next();
      if (done) throw new Error("The archive is incomplete.");
      buffered.push(value);
      length += value.length;
    }
    const all = buffered.length === 1 && buffered[0] ? buffered[0] : Buffer.concat(buffered);
    buffered = [all.subarray(size)];
    length -= size;
    return all.subarray(0, size);
  };
  for (;;) {
    const header = await readBytes(blockBytes);
    if (header.every((byte) => byte === 0)) break;
    const readField = (field: keyof typeof fields) => {
      const [start, size] = fields[field];
      return header.toString("utf8", start, start + size).replace(/\0.*$/s, "");
    };
    const size = Number.parseInt(readField("size"), 8);
    if (
      Number.parseInt(readField("sum"), 8) !== checksum(header) ||
      readField("kind") !== "0" ||
      !(size >= 0)
    )
      throw new Error("This is not a tar archive of regular files.");
    if (size > maxBytes) throw new Error("A file in the archive is too large.");
    const folder = readField("folder");
    const content = Buffer.from(await readBytes(size));
    await readBytes(countPadding(size));
    yield { name: folder === "" ? readField("name") : `${folder}/${readField("name")}`, content };
  }
  // The input is read to its very end, because gzip verifies its checksum only there.
  while (!(await source.next()).done);
}

const countPadding = (size: number) => (blockBytes - (size % blockBytes)) % blockBytes;

/** The sum of all bytes of a header, in which the checksum field itself counts as spaces. */
function checksum(header: Buffer): number {
  const [start, size] = fields.sum;
  return header.reduce((sum, byte, at) => sum + (at >= start && at < start + size ? 32 : byte), 0);
}
