import { hash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { Parsed } from "../../app/site-files/site-file.server.ts";

/** The values of site files, by what they were parsed from. */
type Values = Map<string, unknown>;

export type ParsedFiles = Awaited<ReturnType<typeof openParsedFiles>>;

/**
 * The values of the site files as the last start has parsed them, in a file. Parsing them is a third
 * of the work of a start, and most files have not changed since. Another `build` may parse them
 * differently.
 */
export async function openParsedFiles(file: string, build: string) {
  const stored = await readValues(file);
  const current: Values = new Map();
  return {
    /** Returns the stored value of a file with this text, or parses it. */
    async reuse<T>(
      parts: { path: string; source: string; origin: string | undefined },
      parse: () => Promise<Parsed<T>>,
    ): Promise<Parsed<T>> {
      const { path, source, origin = "" } = parts;
      const key = hash("sha256", [build, path, origin, source].join("\0"));
      // The type is right: the same build has parsed the same text.
      const parsed = stored.has(key)
        ? { ok: true as const, value: stored.get(key) as T }
        : await parse();
      if (parsed.ok) current.set(key, parsed.value);
      return parsed;
    },
    /** Stores the values of this start for the next one. On a full disk, that one parses again. */
    async store(): Promise<void> {
      if (stored.size === current.size && [...current.keys()].every((key) => stored.has(key)))
        return;
      try {
        await mkdir(dirname(file), { recursive: true });
        const data = serialize(current);
        await writeFile(file, Buffer.concat([checksum(data), data]));
      } catch {}
    },
  };
}

const checksum = (data: Buffer) => hash("sha256", data, "buffer");
const checksumBytes = 32;

/** A file that is missing, or is not exactly what was written, contains nothing. */
async function readValues(file: string): Promise<Values> {
  try {
    const content = await readFile(file);
    const data = content.subarray(checksumBytes);
    return checksum(data).equals(content.subarray(0, checksumBytes))
      ? deserialize(data)
      : new Map();
  } catch {
    return new Map();
  }
}
