import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { errorCode } from "../../../app/lib/error-code.ts";
import { fail } from "../../../app/lib/newsroom/command-error.ts";
import { fileErrorReason } from "../../../app/lib/newsroom/file-errors.server.ts";
import { formatCount, formatSize } from "../../../app/lib/newsroom/printing.ts";
import { type Command, noVerb, verb } from "../../../app/platform/command.ts";
import type { Snapshot } from "../../../db/database.ts";
import type { ServerCommandContext } from "../commands.ts";
import { type Manifest, toUnfinishedName } from "./backup.ts";
import { writeInChildProcess } from "./backup-process.ts";

export const backupCommand: Command<ServerCommandContext> = {
  name: "backup",
  group: "Operations",
  summary: "Back up the database and the site files to one file. The site keeps running meanwhile.",
  examples: ["backup", "backup --keep 14", "backup /mnt/usb-stick", "backup before-launch.tar.gz"],
  verbs: {
    [noVerb]: verb({
      arguments: {
        target: {
          description: "a new file or an existing folder; by default backups/ in the data folder",
        },
      },
      options: {
        keep: {
          type: "integer",
          value: "number",
          min: 1,
          description: "how many backups to keep; older ones in the same folder are deleted",
        },
      },
      run: (context, { target, keep }) => backUp(context, target, keep),
    }),
  },
};

async function backUp(
  context: ServerCommandContext,
  target: string | undefined,
  keep: number | undefined,
): Promise<undefined> {
  const now = context.clock();
  const file = await chooseFile(context, target, now);
  if (await stat(file).catch(() => null))
    fail(`✗ ${file} already exists. Choose another name, or move the file away.`);
  const backup = await tryBackup(context, file, now);
  if ("error" in backup) fail(`✗ The backup failed: ${backup.error}`);
  const { bytes, manifest } = backup;
  await recordBackup(context, { file, at: now, bytes });
  const removed =
    keep === undefined ? [] : await removeAllButNewest(dirname(file), cityName(context), keep);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  context.result({
    file,
    bytes,
    rows,
    files: manifest.files.length,
    madeAt: manifest.madeAt,
    removed,
  });
  context.print(`✓ ${file}`);
  context.print(
    `  ${formatCount(rows, "row")} and ${formatCount(manifest.files.length, "file")} in ${formatSize(bytes)}, written and verified.`,
  );
  if (removed.length > 0)
    context.print(`  Deleted ${formatCount(removed.length, "older backup")}.`);
  context.print(
    "  It contains readers' email addresses and the site's keys. Store a copy on another machine, and keep it private.",
  );
}

/**
 * The data and functions that a backup needs. Commands have them in their context; the daily job
 * gets them from the server.
 */
export type BackupSource = Pick<
  ServerCommandContext,
  "siteFolder" | "takeSnapshot" | "isServing" | "progress"
> & {
  config: Pick<ServerCommandContext["config"], "dataDir">;
};

/**
 * The default folder for backups. It is in the data folder, where the server can write even in a
 * strict sandbox.
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
  const existing = await stat(path).catch(() => null);
  return existing?.isDirectory() ? join(path, name) : path;
}

/**
 * Whether a backup is being written, because two at the same time would get in each other's way.
 * Other processes cannot back up the same data, because only one process can use a data folder.
 */
let isWriting = false;

/** Writes a backup. Returns what was written, or an error message for people. */
export async function tryBackup(
  source: BackupSource,
  file: string,
  now: Date,
): Promise<{ bytes: number; manifest: Manifest } | { error: string }> {
  const { siteFolder, progress } = source;
  if (isWriting) return { error: "another backup is in progress. Try again when it has finished." };
  const folder = await stat(dirname(file)).catch(() => null);
  if (dirname(file) !== backupsFolder(source) && !folder)
    return {
      error: `the folder ${dirname(file)} does not exist. Correct the path, or create the folder.`,
    };
  if (folder && !folder.isDirectory()) return { error: `${dirname(file)} is not a folder.` };
  isWriting = true;
  let snapshot: Snapshot | undefined;
  try {
    await removeUnfinished(backupsFolder(source));
    snapshot = await source.takeSnapshot();
    const job = { file, source: snapshot.source, siteFolder, city: cityName(source), now };
    const manifest = await writeInChildProcess(job, progress);
    return { manifest, bytes: (await stat(file)).size };
  } catch (error) {
    return { error: describeError(error, source, file, snapshot !== undefined) };
  } finally {
    isWriting = false;
    await snapshot?.remove();
  }
}

function describeError(
  error: unknown,
  source: BackupSource,
  file: string,
  hasSnapshot: boolean,
): string {
  const folder = dirname(file);
  switch (errorCode(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return hasSnapshot
        ? `the disk that holds ${folder} is full.`
        : `the disk that holds ${source.config.dataDir} has too little space for the temporary copy of the database that a backup needs.`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "ENOENT":
      return `${source.isServing ? "the server does" : "you do"} not have permission to write to ${folder}. Run "./newsroom backup" without a path to write to ${backupsFolder(source)}.`;
    default:
      return `${file}: ${fileErrorReason(error, { path: file, action: "write" }, source)}.`;
  }
}

/**
 * Deletes unfinished files of backups whose process was killed. At this point no other backup is
 * being written, so every unfinished file is abandoned.
 */
async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.endsWith(toUnfinishedName(".tar.gz"))))
    await rm(join(folder, name), { force: true });
}

/**
 * Deletes this city's backups in a folder, except the newest ones. Leaves all other files alone.
 */
async function removeAllButNewest(folder: string, city: string, keep: number): Promise<string[]> {
  const cityBackups = (await readdir(folder)).filter(
    (name) => name.startsWith(`harborline-${city}-`) && /-\d{8}-\d{6}\.tar\.gz$/.test(name),
  );
  const oldBackups = cityBackups.sort().slice(0, -keep);
  for (const name of oldBackups) await rm(join(folder, name));
  return oldBackups;
}

export const recordBackup = (
  source: Pick<BackupSource, "config">,
  backup: z.output<typeof lastBackupSchema>,
) => writeFile(lastBackupFile(source), JSON.stringify(backup), { mode: 0o600 });

const lastBackupSchema = z.object({ file: z.string(), at: z.coerce.date(), bytes: z.number() });

export async function readLastBackup(source: Pick<BackupSource, "config">) {
  const text = await readFile(lastBackupFile(source), "utf8").catch(() => null);
  return text === null ? null : lastBackupSchema.parse(JSON.parse(text));
}
