import { createHash, type Hash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import { hasErrorCode } from "../../../app/lib/error-code.ts";
import { type Batch, dump, dumpedTable } from "../../../db/backup/dump.ts";
import { currentTable, withCurrentNames } from "../../../db/backup/renames.ts";
import type { Database } from "../../../db/database.ts";
import { version } from "../../process/version.ts";
import { type Entry, readTar, tarEnd, tarEntry } from "./tar.ts";

/** The version of the format. It is raised when older software could not read newer backups. */
const format = 1;

/** Describes the backup. It is the last entry, because everything else must be written before. */
export type Manifest = z.infer<typeof manifestShape>;
const manifestShape = z.object({
  format: z.number().int(),
  city: z.string(),
  version: z.string(),
  madeAt: z.iso.datetime(),
  migrations: z.array(z.string()),
  tables: z.array(dumpedTable.extend({ sha256: z.string() })),
  files: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string() })),
});

type CheckResult = { ok: true; manifest: Manifest } | { ok: false; reason: string };

const manifestName = "manifest.json";
const parseTableName = (name: string) => /^database\/(\w+)\/\d+\.ndjson$/.exec(name)?.[1];
const parseSitePath = (name: string) => /^site\/(.+)$/.exec(name)?.[1];

/** A backup has this name until it is complete and verified. */
export const unfinishedName = (file: string) => `${file}.unfinished`;

type Source = { db: Database; siteFolder: string; city: string; now: Date };

/**
 * Writes all rows and all site files to one file that only its owner can read, then reads it again
 * to verify it.
 */
export async function writeBackup(
  file: string,
  { db, siteFolder, city, now }: Source,
  onProgress: (done: number, all: number, what: string) => void,
): Promise<Manifest> {
  const names = await listFiles(siteFolder);
  const unfinished = unfinishedName(file);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await rm(unfinished, { force: true });
  const gzip = createGzip();
  const written = pipeline(
    gzip,
    createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true }),
  );
  // Awaited below. Until then the next write fails if, for example, the disk is full.
  written.catch(() => {});
  const put = async (entry: Entry) => {
    if (!gzip.write(tarEntry(entry, now))) await Promise.race([once(gzip, "drain"), written]);
  };
  try {
    const hashes = new Map<string, Hash>();
    let number = 0;
    const { tables, migrations } = await dump(db, async ({ table, lines }, done, all) => {
      const content = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      ensureHash(hashes, table).update(content);
      number += 1;
      await put({ name: `database/${table}/${String(number).padStart(6, "0")}.ndjson`, content });
      onProgress(done, all, table);
    });
    const files: Manifest["files"] = [];
    for (const path of names) {
      const content = await readFile(join(siteFolder, path));
      await put({ name: `site/${path}`, content });
      files.push({
        path,
        bytes: content.length,
        sha256: createHash("sha256").update(content).digest("hex"),
      });
      onProgress(files.length, names.length, path);
    }
    const manifest: Manifest = {
      format,
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
    await put({
      name: manifestName,
      content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
    });
    gzip.end(tarEnd);
    await written;
    const checked = await checkBackup(unfinished);
    if (!checked.ok) throw new Error(`The backup could not be verified: ${checked.reason}`);
    await rename(unfinished, file);
    return manifest;
  } catch (error) {
    gzip.destroy();
    await written.catch(() => {});
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Reads a backup from beginning to end and compares its content with its manifest. */
export async function checkBackup(file: string): Promise<CheckResult> {
  const refuse = (reason: string): CheckResult => ({ ok: false, reason });
  const tables = new Map<string, Hash>();
  const files = new Map<string, string>();
  let last: Entry | undefined;
  try {
    for await (const entry of readEntries(file)) {
      const [table, path] = [parseTableName(entry.name), parseSitePath(entry.name)];
      if (table !== undefined) ensureHash(tables, table).update(entry.content);
      else if (path !== undefined)
        files.set(path, createHash("sha256").update(entry.content).digest("hex"));
      last = entry;
    }
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return refuse(`${file} does not exist.`);
    if (hasErrorCode(error, "EISDIR")) return refuse(`${file} is a folder.`);
    if (hasErrorCode(error, "EACCES") || hasErrorCode(error, "EPERM"))
      return refuse(`You do not have permission to read ${file}.`);
    return refuse("The file is damaged, or it is not a Harborline backup.");
  }
  if (last?.name !== manifestName) return refuse("The file is not a Harborline backup.");
  const parsed = manifestShape.safeParse(parseJson(last.content));
  if (!parsed.success) return refuse("The file is not a Harborline backup.");
  const manifest = parsed.data;
  if (manifest.format > format)
    return refuse("It was made by a newer version of Harborline. Update this installation first.");
  const isComplete =
    manifest.tables.every(
      ({ name, sha256 }) => ensureHash(tables, name).digest("hex") === sha256,
    ) &&
    manifest.files.every(({ path, sha256 }) => files.get(path) === sha256) &&
    manifest.files.length === files.size;
  const current = { ...manifest, tables: manifest.tables.map(withCurrentNames) };
  return isComplete
    ? { ok: true, manifest: current }
    : refuse("The file is damaged: its content does not match its checksums.");
}

/** Undefined if the content is not JSON. */
function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** The rows of a backup that has been verified, under the current names of their tables. */
export async function* readRows(file: string): AsyncGenerator<Batch> {
  for await (const { name, content } of readEntries(file)) {
    const table = parseTableName(name);
    if (table !== undefined)
      yield { table: currentTable(table), lines: content.toString("utf8").trimEnd().split("\n") };
  }
}

/** Unpacks the site files of a verified backup into a folder. */
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
  const read = pipeline(createReadStream(file), gunzip);
  // An error of the pipeline also ends the stream that is read here.
  read.catch(() => {});
  try {
    yield* readTar(gunzip);
  } finally {
    gunzip.destroy();
  }
}

/** The paths of all regular files in a folder, relative to it. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function ensureHash(hashes: Map<string, Hash>, name: string): Hash {
  const hash = hashes.get(name) ?? createHash("sha256");
  hashes.set(name, hash);
  return hash;
}
