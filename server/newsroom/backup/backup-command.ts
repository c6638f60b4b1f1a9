import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { fileErrorReason } from "../../../app/lib/newsroom/file-errors.server.ts";
import { formatCount, formatSize } from "../../../app/lib/newsroom/printing.ts";
import { type Command, noVerb, verb } from "../../../app/platform/command.ts";
import type { Snapshot } from "../../../db/database.ts";
import type { ServerCommandContext } from "../context.ts";
import { type Manifest, unfinishedName } from "./backup.ts";
import { writeInChildProcess } from "./backup-process.ts";

const abandonedAfterMs = 3_600_000;

export const backupCommand: Command<ServerCommandContext> = {
  name: "backup",
  group: "Operations",
  summary:
    "Writes everything, the database and the city's files, into one file. The site goes on meanwhile.",
  examples: ["backup", "backup --keep 14", "backup /mnt/usb-stick", "backup before-launch.tar.gz"],
  verbs: {
    [noVerb]: verb({
      arguments: {
        target: {
          description: "a new file or a folder; the data folder's backups if it is not given",
        },
      },
      options: {
        keep: {
          type: "integer",
          value: "number",
          min: 1,
          description: "how many backups to keep; older ones in the same folder are removed",
        },
      },
      run: ({ target }, { keep }, context) => backUp(context, target, keep),
    }),
  },
};

async function backUp(
  context: ServerCommandContext,
  target: string | undefined,
  keep: number | undefined,
): Promise<number> {
  const now = context.clock();
  const file = await chooseFile(context, target, now);
  if (await stat(file).catch(() => null)) {
    context.print(`✗ There is already a file ${file}. Name another, or take it away.`);
    return 1;
  }
  const written = await tryBackup(context, file, now);
  if ("fault" in written) {
    context.print(`✗ No backup was made: ${written.fault}`);
    return 1;
  }
  const { bytes, manifest } = written;
  await writeFile(lastBackupFile(context), JSON.stringify({ file, at: now.toISOString(), bytes }));
  const gone =
    keep === undefined ? [] : await removeAllButNewest(dirname(file), cityName(context), keep);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  context.result({
    file,
    bytes,
    rows,
    files: manifest.files.length,
    madeAt: manifest.madeAt,
    removed: gone,
  });
  context.print(`✓ ${file}`);
  context.print(
    `  ${formatCount(rows, "row")} and ${formatCount(manifest.files.length, "file")} in ${formatSize(bytes)}, written and read over.`,
  );
  if (gone.length > 0) context.print(`  ${formatCount(gone.length, "older backup")} removed.`);
  context.print(
    "  It holds readers' addresses and the site's keys. Keep a copy on another machine, out of others' sight.",
  );
  return 0;
}

/** What a backup is made of, and where: part of a context, and of what jobs get. */
export type BackupSource = Pick<
  ServerCommandContext,
  "siteFolder" | "takeSnapshot" | "isServing" | "progress"
> & {
  config: Pick<ServerCommandContext["config"], "dataDir">;
};

/**
 * Unless somebody says otherwise, in the data folder: there the server may write however it is
 * locked in.
 */
export const backupsFolder = ({ config }: Pick<BackupSource, "config">): string =>
  join(config.dataDir, "backups");

export const lastBackupFile = ({ config }: Pick<BackupSource, "config">) =>
  join(config.dataDir, "last-backup.json");
export const cityName = ({ siteFolder }: Pick<BackupSource, "siteFolder">) => basename(siteFolder);
export const backupFileName = (city: string, now: Date) =>
  `harborline-${city}-${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}.tar.gz`;

async function chooseFile(
  context: ServerCommandContext,
  target: string | undefined,
  now: Date,
): Promise<string> {
  const name = backupFileName(cityName(context), now);
  if (target === undefined) return join(backupsFolder(context), name);
  const path = resolve(context.cwd, target);
  const there = await stat(path).catch(() => null);
  return there?.isDirectory() ? join(path, name) : path;
}

/**
 * Of two at the same time each would be in the other's way. No other process can make one of the
 * same data.
 */
let isWriting = false;

/** A backup, or why there is none, in a sentence. */
export async function tryBackup(
  source: BackupSource,
  file: string,
  now: Date,
): Promise<{ bytes: number; manifest: Manifest } | { fault: string }> {
  const { siteFolder, progress } = source;
  if (isWriting) return { fault: "another one is being made. Try again when it is done." };
  const folder = await stat(dirname(file)).catch(() => null);
  if (dirname(file) !== backupsFolder(source) && !folder)
    return {
      fault: `there is no folder ${dirname(file)}. Correct the path, or create the folder.`,
    };
  if (folder && !folder.isDirectory()) return { fault: `${dirname(file)} is not a folder.` };
  isWriting = true;
  let snapshot: Snapshot | undefined;
  try {
    await removeAbandoned(backupsFolder(source), now);
    snapshot = await source.takeSnapshot();
    const job = { file, source: snapshot.source, siteFolder, city: cityName(source), now };
    const manifest = await writeInChildProcess(job, progress);
    return { manifest, bytes: (await stat(file)).size };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    switch (code) {
      case "ENOSPC":
      case "EDQUOT":
        return {
          fault: snapshot
            ? `the disk of ${dirname(file)} is full.`
            : `the disk of ${source.config.dataDir} has too little room for the copy of the database that is read meanwhile.`,
        };
      case "EACCES":
      case "EPERM":
      case "EROFS":
      case "ENOENT":
        return {
          fault: `${source.isServing ? "the server" : "this user"} may not write to ${dirname(file)}. Without a name it goes to ${backupsFolder(source)}.`,
        };
      default:
        return {
          fault: `${file}: ${fileErrorReason(error, { path: file, done: "written", isServing: source.isServing })}.`,
        };
    }
  } finally {
    isWriting = false;
    await snapshot?.remove();
  }
}

/**
 * Removes what is left of backups whose process was killed. One that is being written has changed
 * within the hour.
 */
async function removeAbandoned(folder: string, now: Date): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.endsWith(unfinishedName(".tar.gz")))) {
    const left = await stat(join(folder, name)).catch(() => null);
    if (left && now.getTime() - left.mtimeMs > abandonedAfterMs)
      await rm(join(folder, name), { force: true });
  }
}

/** Removes all of this city's backups in a folder but the newest. Others' files are left alone. */
async function removeAllButNewest(folder: string, city: string, keep: number): Promise<string[]> {
  const ours = (await readdir(folder)).filter(
    (name) => name.startsWith(`harborline-${city}-`) && /-\d{8}-\d{6}\.tar\.gz$/.test(name),
  );
  const old = ours.sort().slice(0, -keep);
  for (const name of old) await rm(join(folder, name));
  return old;
}

const record = z.object({ file: z.string(), at: z.coerce.date(), bytes: z.number() });

/** When this data folder was last backed up, and where to. */
export async function readLastBackup(
  read: (file: string) => Promise<string>,
  source: Pick<BackupSource, "config">,
) {
  const text = await read(lastBackupFile(source)).catch(() => null);
  return text === null ? null : record.parse(JSON.parse(text));
}
