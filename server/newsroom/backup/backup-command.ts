import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { hasErrorCode } from "../../../app/lib/error-code.ts";
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
  examples: ["backup", "backup /mnt/usb-stick", "backup before-launch.tar.gz"],
  verbs: {
    [noVerb]: verb({
      arguments: {
        target: {
          description: "a new file or an existing folder; by default backups/ in the data folder",
        },
      },
      run: (context, { target }) => backUp(context, target),
    }),
  },
};

async function backUp(
  context: ServerCommandContext,
  target: string | undefined,
): Promise<undefined> {
  const now = context.clock();
  const file = await chooseFile(context, target, now);
  if (await stat(file).catch(() => null))
    fail(`✗ ${file} already exists. Choose another name, or move the file away.`);
  const backup = await tryBackup(context, file, now);
  if ("error" in backup) fail(`✗ The backup failed: ${backup.error}`);
  const { bytes, manifest } = backup;
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  context.result({
    file,
    bytes,
    rows,
    files: manifest.files.length,
    madeAt: manifest.madeAt,
  });
  context.print(`✓ ${file}`);
  context.print(
    `  ${formatCount(rows, "row")} and ${formatCount(manifest.files.length, "file")} in ${formatSize(bytes)}, written and verified.`,
  );
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

export const cityName = ({ siteFolder }: Pick<BackupSource, "siteFolder">) => basename(siteFolder);
export const backupFileName = (city: string, now: Date, start = "harborline") =>
  `${start}-${city}-${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}.tar.gz`;
/** The beginning of the names of backups that are made before a restore. */
export const beforeRestore = "before-restore";

/** Matches the names that `backupFileName` returns. */
const backupName =
  /^(?:harborline|before-restore)-(.+)-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)\.tar\.gz$/;

export type StoredBackup = { file: string; madeAt: Date };

/**
 * Lists a city's backups in a folder, the oldest first. A backup gets its name, which says when it
 * was made, only after it has been verified.
 */
export async function listBackups(folder: string, city: string): Promise<StoredBackup[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => {
      const [, owner, year, month, day, ...time] = backupName.exec(name) ?? [];
      if (owner !== city) return [];
      const madeAt = new Date(`${year}-${month}-${day}T${time.join(":")}Z`);
      return [{ file: join(folder, name), madeAt }];
    })
    .toSorted((one, other) => one.madeAt.getTime() - other.madeAt.getTime());
}

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
  return hasSnapshot || !hasErrorCode(error, "ENOSPC")
    ? `${file}: ${fileErrorReason(error, source)}.`
    : `the disk that holds ${source.config.dataDir} has too little space for the temporary copy of the database that a backup needs.`;
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
