import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileErrorMessage } from "../../../app/lib/newsroom/file-errors.server.ts";
import { formatCount, formatSize } from "../../../app/lib/newsroom/printing.ts";
import { type Command, noVerb, verb } from "../../../app/platform/command.ts";
import type { RestoreNotes } from "../../../app/platform/restore.ts";
import { countExistingRows, findIncompatibility, load } from "../../../db/backup/dump.ts";
import { features } from "../../features.ts";
import type { ServerCommandContext } from "../context.ts";
import { checkBackup, type Manifest, readRows, unpackSite } from "./backup.ts";
import { backupsFolder, tryBackup } from "./backup-command.ts";

export const restoreCommand: Command<ServerCommandContext> = {
  name: "restore",
  group: "Operations",
  summary: "Puts a backup back: the database, or with --site the city's files into a new folder.",
  examples: [
    "restore",
    "restore harborline-baltimore-20261115-060000.tar.gz --dry-run",
    "restore harborline-baltimore-20261115-060000.tar.gz --replace",
    "restore before-launch.tar.gz --site /tmp/baltimore-then",
  ],
  verbs: {
    [noVerb]: verb({
      arguments: {
        file: {
          description: "a backup, also by its name alone; without one, the backups are listed",
        },
      },
      options: {
        replace: {
          type: "flag",
          description: "also where the database holds something, which is backed up first",
        },
        "dry-run": { type: "flag", description: "says what would be done, and changes nothing" },
        site: {
          type: "string",
          value: "folder",
          description:
            "unpacks the city's files into this new folder, and leaves the database alone",
        },
      },
      run: ({ file }, { replace, "dry-run": dryRun, site }, context) =>
        restore(context, { name: file, replace, dryRun, site }),
    }),
  },
};

const derivedTables = features.flatMap((feature) => feature.derivedTables ?? []);

type RestoreOptions = {
  name: string | undefined;
  replace: boolean;
  dryRun: boolean;
  site: string | undefined;
};

async function restore(context: ServerCommandContext, given: RestoreOptions): Promise<number> {
  const { name, replace, dryRun, site } = given;
  if (name === undefined && !replace && !dryRun && site === undefined) return listBackups(context);
  if (name === undefined || (site !== undefined && (replace || dryRun))) {
    context.print(
      name === undefined
        ? 'Which backup? "restore" alone lists them.'
        : "--site unpacks files only. Leave out --replace and --dry-run, which are about the database.",
    );
    return 2;
  }
  const file = await findBackup(context, name);
  const checked = await checkBackup(file);
  if (!checked.ok) {
    context.print(`✗ ${name} cannot be restored. ${checked.reason}`);
    return 1;
  }
  printSummary(context, checked.manifest);
  if (site !== undefined) return restoreSite(context, file, checked.manifest, site);
  return restoreDatabase(context, file, checked.manifest, given);
}

/** A path from where the command was typed, or the bare name of a backup in the data folder. */
async function findBackup(context: ServerCommandContext, name: string): Promise<string> {
  const path = resolve(context.cwd, name);
  if (await stat(path).catch(() => null)) return path;
  const kept = join(backupsFolder(context), name);
  return (await stat(kept).catch(() => null)) ? kept : path;
}

async function listBackups(context: ServerCommandContext): Promise<number> {
  const folder = backupsFolder(context);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".tar.gz"));
  const backups = await Promise.all(
    names
      .sort()
      .reverse()
      .map(async (name) => {
        const { size, mtime } = await stat(join(folder, name));
        return { name, bytes: size, madeAt: mtime };
      }),
  );
  context.result(backups);
  if (backups.length === 0) context.print(`There is no backup in ${folder}. "backup" makes one.`);
  else {
    const rows = backups.map(({ name, bytes, madeAt }) => [
      name,
      formatSize(bytes),
      madeAt.toISOString().slice(0, 16).replace("T", " "),
    ]);
    context.table(["backup", "size", "made (UTC)"], rows);
    context.print(`\nThey are in ${folder}. "restore <backup> --dry-run" says what one would do.`);
  }
  return 0;
}

function printSummary(
  context: ServerCommandContext,
  { city, version, madeAt, tables, files }: Manifest,
): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  context.print(
    `✓ The backup is whole: ${city} on ${madeAt.slice(0, 16).replace("T", " ")} UTC, Harborline ${version}, ${formatCount(rows, "row")}, ${formatCount(files.length, "file")}.`,
  );
}

async function restoreDatabase(
  context: ServerCommandContext,
  file: string,
  manifest: Manifest,
  { replace, dryRun }: RestoreOptions,
): Promise<number> {
  const db = await context.database();
  const reason = await findIncompatibility(db, manifest);
  if (reason !== null) {
    context.print(`✗ It cannot be restored here. ${reason}`);
    return 1;
  }
  const kept = await countExistingRows(db, derivedTables);
  const inWords = kept
    .map(({ table, rows }) => `${table} (${rows.toLocaleString("en-US")})`)
    .join(", ");
  if (kept.length > 0 && !replace) {
    context.print(`✗ Nothing was changed: this site already holds ${inWords}.`);
    context.print(
      "  With --replace the backup takes their place; what is there now is backed up first.",
    );
    return 1;
  }
  const restored = {
    file,
    replaced: kept,
    tables: manifest.tables.map(({ name, rows }) => ({ name, rows })),
    dryRun,
  };
  if (dryRun) {
    context.result(restored);
    context.print(
      `Dry run: nothing was changed.${kept.length > 0 ? ` It would replace ${inWords}.` : ""}`,
    );
    return 0;
  }
  const now = context.clock();
  const result = await context.withoutWriters(async (db) => {
    // Readers may have sent something since it was counted.
    const before =
      (await countExistingRows(db, derivedTables)).length > 0
        ? await backUpFirst(context, now)
        : null;
    if (before !== null && "fault" in before) return before;
    const given = {
      db,
      now,
      backupCreatedAt: new Date(manifest.madeAt),
      readSite: context.readSite,
    };
    const hooks = features.flatMap((feature) => feature.restore ?? []);
    const settle = await Promise.all(hooks.map((hook) => hook(given)));
    const noted: RestoreNotes[] = [];
    const progress = (done: number, all: number) => context.progress(done, all, "rows");
    await load(db, manifest.tables, readRows(file), progress, async (tx) => {
      for (const each of settle) noted.push(await each(tx));
    });
    return { before: before?.file ?? null, noted };
  });
  if ("fault" in result) {
    context.print(
      `✗ Nothing was changed, since what is there could not be backed up first: ${result.fault}`,
    );
    return 1;
  }
  const { before, noted } = result;
  context.result(Object.assign({ ...restored, before }, ...noted.map(({ result }) => result)));
  context.print("✓ The database is as it was, and every page is rendered again.");
  for (const note of noted.flatMap(({ notes }) => notes)) context.print(`! ${note}`);
  if (context.isServing)
    context.print(
      "  Restart the server (every node) soon: it still uses the keys it read at its start.",
    );
  context.print(
    "  The city's files were left alone; --site <new folder> unpacks those of the backup.",
  );
  return 0;
}

/**
 * Backs up what the restore replaces. Nobody can write meanwhile, so nothing that a reader was told
 * we have is missing.
 */
async function backUpFirst(
  context: ServerCommandContext,
  now: Date,
): Promise<{ file: string } | { fault: string }> {
  const file = join(backupsFolder(context), `before-restore-${now.getTime()}.tar.gz`);
  const saved = await tryBackup(context, file, now);
  if ("fault" in saved) return saved;
  context.print(`✓ What was there is in ${file}`);
  return { file };
}

async function restoreSite(
  context: ServerCommandContext,
  file: string,
  manifest: Manifest,
  name: string,
): Promise<number> {
  const folder = resolve(context.cwd, name);
  const there = await readdir(folder).catch(() => []);
  if (there.length > 0 || (await stat(folder).catch(() => null))?.isFile()) {
    context.print(
      `✗ ${folder} is not empty. Name a new folder, compare, and copy over what you want back.`,
    );
    return 1;
  }
  try {
    await unpackSite(file, folder);
  } catch (error) {
    context.print(
      `✗ ${fileErrorMessage(error, { path: folder, done: "written", isServing: context.isServing })}`,
    );
    return 1;
  }
  context.result({ file, folder, files: manifest.files.length });
  context.print(
    `✓ ${formatCount(manifest.files.length, "file")} of the city are in ${folder}. The database was left alone.`,
  );
  return 0;
}
