import { createHash, type Hash, hash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import { hasErrorCode } from "../../../app/lib/error-code.ts";
import { formatSize } from "../../../app/lib/newsroom/printing.ts";
import { type Batch, dump, dumpedTableSchema } from "../../../db/backup/dump.ts";
import type { Database } from "../../../db/database.ts";
import { version } from "../../process/version.ts";
import { type Entry, encodeTarEntry, maxEntryBytes, readTar, tarEnd } from "./tar.ts";

/** Increases when the format changes so much that older versions of Harborline cannot read it. */
const formatVersion = 1;

/** Describes the backup. It is the last entry, because it contains the checksums of all others. */
export type Manifest = z.infer<typeof manifestSchema>;
const manifestSchema = z.object({
  format: z.number().int(),
  city: z.string(),
  version: z.string(),
  madeAt: z.iso.datetime(),
  migrations: z.array(z.string()),
  tables: z.array(dumpedTableSchema.extend({ sha256: z.string() })),
  files: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string() })),
});

type CheckResult = { ok: true; manifest: Manifest } | { ok: false; reason: string };

const manifestName = "manifest.json";
const parseTableName = (name: string) => /^database\/(\w+)\/\d+\.ndjson$/.exec(name)?.[1];
const parseSitePath = (name: string) => /^site\/(.+)$/.exec(name)?.[1];

/** Returns the name that a backup has until it is complete and verified. */
export const toUnfinishedName = (file: string) => `${file}.unfinished`;

type Source = { db: Database; siteFolder: string; city: string; now: Date };

/**
 * Writes all rows and all site files to one file that only its owner can read, then reads the file
 * again to verify it.
 */
export async function writeBackup(
  file: string,
  { db, siteFolder, city, now }: Source,
  onProgress: (done: number, all: number, what: string) => void,
): Promise<Manifest> {
  const names = await listFiles(siteFolder);
  const unfinished = toUnfinishedName(file);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await rm(unfinished, { force: true });
  const gzip = createGzip();
  const writing = pipeline(
    gzip,
    createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true }),
  );
  // The promise is awaited below. If it rejects earlier, for example because the disk is full, the
  // next write fails.
  writing.catch(() => {});
  const writeEntry = async (entry: Entry) => {
    if (!gzip.write(encodeTarEntry(entry, now))) await Promise.race([once(gzip, "drain"), writing]);
  };
  try {
    const hashes = new Map<string, Hash>();
    let batchCount = 0;
    const { tables, migrations } = await dump(db, async ({ table, lines }, done, all) => {
      const content = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      ensureHash(hashes, table).update(content);
      batchCount += 1;
      await writeEntry({
        name: `database/${table}/${String(batchCount).padStart(6, "0")}.ndjson`,
        content,
      });
      onProgress(done, all, "rows");
    });
    const files: Manifest["files"] = [];
    for (const path of names) {
      if ((await stat(join(siteFolder, path))).size > maxEntryBytes)
        throw new Error(
          `The file ${join(siteFolder, path)} is larger than ${formatSize(maxEntryBytes)}, the limit for backups. Move it to another folder.`,
        );
      const content = await readFile(join(siteFolder, path));
      await writeEntry({ name: `site/${path}`, content });
      files.push({ path, bytes: content.length, sha256: hash("sha256", content, "hex") });
      onProgress(files.length, names.length, path);
    }
    const manifest: Manifest = {
      format: formatVersion,
      city,
      version,
      migrations,
      files,
      madeAt: now.toISOString(),
      tables: tables.map((table) => ({
        ...table,
        sha256: ensureHash(hashes, table.name).digest("hex"),
      })),
    };
    await writeEntry({
      name: manifestName,
      content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
    });
    gzip.end(tarEnd);
    await writing;
    const checked = await checkBackup(unfinished);
    if (!checked.ok) throw new Error(`The backup could not be verified: ${checked.reason}`);
    await rename(unfinished, file);
    return manifest;
  } catch (error) {
    gzip.destroy();
    await writing.catch(() => {});
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Reads a backup from beginning to end and compares its content with its manifest. */
export async function checkBackup(file: string): Promise<CheckResult> {
  const fail = (reason: string): CheckResult => ({ ok: false, reason });
  const tables = new Map<string, Hash>();
  const files = new Map<string, string>();
  let manifest: Manifest | undefined;
  try {
    for await (const entry of readEntries(file)) {
      const [table, path] = [parseTableName(entry.name), parseSitePath(entry.name)];
      if (table !== undefined) ensureHash(tables, table).update(entry.content);
      else if (path !== undefined) files.set(path, hash("sha256", entry.content, "hex"));
      else if (entry.name === manifestName)
        manifest = manifestSchema.parse(JSON.parse(entry.content.toString("utf8")));
    }
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return fail(`${file} does not exist.`);
    if (hasErrorCode(error, "EISDIR")) return fail(`${file} is a folder.`);
    if (hasErrorCode(error, "EACCES") || hasErrorCode(error, "EPERM"))
      return fail(`You do not have permission to read ${file}.`);
    return fail("The file is damaged, or it is not a Harborline backup.");
  }
  if (!manifest) return fail("The file is not a Harborline backup.");
  if (manifest.format > formatVersion)
    return fail("It was made by a newer version of Harborline. Update this installation first.");
  const isComplete =
    manifest.tables.every(
      ({ name, sha256 }) => ensureHash(tables, name).digest("hex") === sha256,
    ) &&
    manifest.files.every(({ path, sha256 }) => files.get(path) === sha256) &&
    manifest.files.length === files.size;
  return isComplete
    ? { ok: true, manifest }
    : fail("The file is damaged: its content does not match its checksums.");
}

/** Yields the rows of a backup, which the caller has verified. */
export async function* readRows(file: string): AsyncGenerator<Batch> {
  for await (const { name, content } of readEntries(file)) {
    const table = parseTableName(name);
    if (table !== undefined) yield { table, lines: content.toString("utf8").trimEnd().split("\n") };
  }
}

/** Unpacks the site files of a backup, which the caller has verified, into a folder. */
export async function unpackSite(file: string, folder: string): Promise<void> {
  for await (const { name, content } of readEntries(file)) {
    const path = parseSitePath(name);
    if (path === undefined) continue;
    const target = resolve(folder, path);
    // A manipulated backup could contain a path that leads out of the folder.
    if (!target.startsWith(resolve(folder) + sep))
      throw new Error(`The path ${path} leads out of the folder ${folder}.`);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
}

async function* readEntries(file: string): AsyncGenerator<Entry> {
  const gunzip = createGunzip();
  const reading = pipeline(createReadStream(file), gunzip);
  // An error of the pipeline also ends `gunzip`, so it is handled there.
  reading.catch(() => {});
  try {
    yield* readTar(gunzip);
  } finally {
    gunzip.destroy();
  }
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function ensureHash(hashes: Map<string, Hash>, name: string): Hash {
  const known = hashes.get(name) ?? createHash("sha256");
  hashes.set(name, known);
  return known;
}
