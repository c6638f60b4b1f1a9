import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { readTimeZone } from "../../../app/features/brand/feature.server.ts";
import { shortTimestamp } from "../../../app/lib/dates.ts";
import { fail, refuseCommand } from "../../../app/lib/newsroom/command-error.ts";
import { tryFile } from "../../../app/lib/newsroom/file-errors.server.ts";
import { formatCount, formatSize } from "../../../app/lib/newsroom/printing.ts";
import { type Command, noVerb, verb } from "../../../app/platform/command.ts";
import type { RestoreNotes } from "../../../app/platform/feature.ts";
import { countExistingRows, findIncompatibility, load } from "../../../db/backup/dump.ts";
import { features } from "../../features.ts";
import type { ServerCommandContext } from "../commands.ts";
import { checkBackup, type Manifest, readRows, unpackSite } from "./backup.ts";
import { backupFileName, backupsFolder, beforeRestore, tryBackup } from "./backup-command.ts";

export const restoreCommand: Command<ServerCommandContext> = {
  name: "restore",
  group: "Operations",
  summary: "Restore the database from a backup, or unpack its site files into a new folder.",
  examples: [
    "restore list",
    "restore harborline-20261115-060000.tar.gz --dry-run",
    "restore harborline-20261115-060000.tar.gz --replace",
    "restore before-launch.tar.gz --site /tmp/city-then",
  ],
  verbs: {
    list: verb({ summary: "List the backups in the data folder.", run: listBackups }),
    [noVerb]: verb({
      arguments: {
        file: {
          description:
            "a path, or the name of a backup in the data folder; lists all backups if omitted",
        },
      },
      options: {
        replace: {
          type: "flag",
          description: "replace what is in the database, after backing it up",
        },
        "dry-run": {
          type: "flag",
          description: "show what would be done, without changing anything",
        },
        renamed: {
          type: "flag",
          description: "accept the backup of a city folder that had another name then",
        },
        site: {
          type: "string",
          value: "folder",
          description: "unpack the site files into this new folder, and leave the database alone",
        },
      },
      run: (context, { file: name, "dry-run": dryRun, ...options }) =>
        restore(context, { name, dryRun, ...options }),
    }),
  },
};

const derivedTables = features.flatMap((feature) => feature.derivedTables ?? []);

type RestoreOptions = {
  name: string | undefined;
  replace: boolean;
  dryRun: boolean;
  renamed: boolean;
  site: string | undefined;
};

async function restore(context: ServerCommandContext, options: RestoreOptions): Promise<undefined> {
  const { name, replace, dryRun, site } = options;
  if (name === undefined && !replace && !dryRun && site === undefined) return listBackups(context);
  if (name === undefined)
    refuseCommand('No backup was named. Run "./newsroom restore list" to list the backups.');
  if (site !== undefined && (replace || dryRun))
    refuseCommand(
      "--site unpacks files only. Remove --replace and --dry-run, which apply to the database.",
    );
  const file = await findBackup(context, name);
  if (file === null)
    fail(`✗ There is no backup "${name}". Run "./newsroom restore list" to list the backups.`);
  const checked = await checkBackup(file);
  if (!checked.ok) fail(`✗ Could not restore ${name}. ${checked.reason}`);
  await printSummary(context, checked.manifest);
  if (site !== undefined) return restoreSite(context, file, checked.manifest, site);
  return restoreDatabase(context, file, checked.manifest, options);
}

/**
 * Finds a backup by its path, relative to the caller's folder, or by its name in the data folder.
 */
async function findBackup(context: ServerCommandContext, name: string): Promise<string | null> {
  for (const path of [resolve(context.cwd, name), join(backupsFolder(context), name)])
    if (await stat(path).catch(() => null)) return path;
  return null;
}

async function listBackups(context: ServerCommandContext): Promise<undefined> {
  const folder = backupsFolder(context);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".tar.gz"));
  const backups: { name: string; bytes: number; madeAt: Date }[] = [];
  for (const name of names.sort().reverse()) {
    // A link may have lost its file.
    const stats = await stat(join(folder, name)).catch(() => null);
    if (stats) backups.push({ name, bytes: stats.size, madeAt: stats.mtime });
  }
  context.result(backups);
  if (backups.length === 0) {
    context.print(`There are no backups in ${folder}. Run "./newsroom backup" to create one.`);
    return;
  }
  const rows = backups.map(async ({ name, bytes, madeAt }) => [
    name,
    formatSize(bytes),
    await formatTime(context, madeAt),
  ]);
  context.table(["backup", "size", "made"], await Promise.all(rows));
  context.print(
    `\nThey are in ${folder}. Run "./newsroom restore <backup> --dry-run" to see what a restore would change.`,
  );
}

/** A restore also works if the city's files are lost. */
const formatTime = async (context: ServerCommandContext, at: Date) =>
  shortTimestamp(at, await readTimeZone(context).catch(() => "UTC"));

async function printSummary(
  context: ServerCommandContext,
  { city, version, madeAt, tables, files }: Manifest,
): Promise<void> {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  context.print(
    `✓ The backup is complete: ${city} on ${await formatTime(context, new Date(madeAt))}, Harborline ${version}, ${formatCount(rows, "row")}, ${formatCount(files.length, "file")}.`,
  );
}

/** Without this check, the subscribers of one city could get the newsletter of another one. */
function requireSameCity(context: ServerCommandContext, city: string, renamed: boolean): void {
  const here = basename(context.siteFolder);
  if (city !== here && !renamed)
    fail(
      `✗ Nothing was changed: this is a backup of the city "${city}", not of "${here}".\n  For ${city}, type "./newsroom --city ${city} restore …". If "${here}" is its new name, add --renamed.`,
    );
}

async function restoreDatabase(
  context: ServerCommandContext,
  file: string,
  manifest: Manifest,
  { replace, dryRun, renamed }: RestoreOptions,
): Promise<undefined> {
  requireSameCity(context, manifest.city, renamed);
  const db = await context.database();
  const reason = await findIncompatibility(db, manifest);
  if (reason !== null) fail(`✗ Could not restore this backup. ${reason}`);
  const existing = await countExistingRows(db, derivedTables);
  const existingText = describeRows(existing);
  if (existing.length > 0 && !replace)
    fail(
      `✗ Nothing was changed: the site already has ${existingText}.\n  Add --replace to back up this data and then replace it.`,
    );
  const summary = {
    file,
    replaced: existing,
    tables: manifest.tables.map(({ name, rows }) => ({ name, rows })),
    dryRun,
  };
  if (dryRun) {
    context.result(summary);
    context.print(
      `Dry run: nothing was changed.${existing.length > 0 ? ` A restore would replace ${existingText}.` : ""}`,
    );
    return;
  }
  const now = context.clock();
  const { before, notes } = await context.withoutWriters(async (db) => {
    // The rows are counted again, because readers may have sent something in the meantime.
    const isEmpty = (await countExistingRows(db, derivedTables)).length === 0;
    const before = isEmpty ? null : await backUpFirst(context, now);
    const hookContext = {
      db,
      now,
      backupCreatedAt: new Date(manifest.madeAt),
      readSite: context.readSite,
    };
    const hooks = features.flatMap((feature) => feature.restore ?? []);
    const adjustFunctions = await Promise.all(hooks.map((hook) => hook(hookContext)));
    const notes: RestoreNotes[] = [];
    const progress = (done: number, all: number) => context.progress({ done, all, what: "rows" });
    await load(db, manifest.tables, readRows(file), progress, async (tx) => {
      for (const each of adjustFunctions) notes.push(await each(tx));
    });
    return { before, notes };
  });
  context.result(Object.assign({ ...summary, before }, ...notes.map((each) => each.result)));
  context.print("✓ Restored the database and purged all pages.");
  for (const note of notes.flatMap((each) => each.notes)) context.print(`! ${note}`);
  context.print(
    "  The site files were not changed. Run this command with --site <new folder> to unpack those of the backup.",
  );
}

/** What people would miss, by its table. */
const contents: Record<string, [one: string, many: string]> = {
  story_submissions: ["story", "stories"],
  event_submissions: ["event", "events"],
  contact_messages: ["message", "messages"],
  blog_posts: ["post", "posts"],
  newsletter_subscribers: ["subscriber", "subscribers"],
  headlines: ["headline", "headlines"],
};

/** Such as "2 stories, 40 subscribers, and other data". */
function describeRows(existing: { table: string; rows: number }[]): string {
  const named = existing.flatMap(({ table, rows }) => {
    const nouns = contents[table];
    return nouns ? formatCount(rows, ...nouns) : [];
  });
  const others = named.length === 0 ? ["data"] : ["other data"];
  const list = named.length < existing.length ? [...named, ...others] : named;
  return new Intl.ListFormat("en-US").format(list);
}

/**
 * Backs up what the restore replaces. Nothing else can write meanwhile, so this backup contains
 * everything that the site has confirmed to a reader.
 */
async function backUpFirst(context: ServerCommandContext, now: Date): Promise<string> {
  const name = backupFileName(basename(context.siteFolder), now, beforeRestore);
  const file = join(backupsFolder(context), name);
  const backup = await tryBackup(context, file, now);
  if ("error" in backup)
    fail(
      `✗ Nothing was changed, because the existing data could not be backed up first: ${backup.error}`,
    );
  context.print(`✓ Backed up the existing data to ${file}`);
  return file;
}

async function restoreSite(
  context: ServerCommandContext,
  file: string,
  manifest: Manifest,
  name: string,
): Promise<undefined> {
  const folder = resolve(context.cwd, name);
  const existing = await readdir(folder).catch(() => []);
  if (existing.length > 0 || (await stat(folder).catch(() => null))?.isFile())
    fail(
      `✗ ${folder} is not empty. Choose a new folder, then copy the files that you want back from it.`,
    );
  await tryFile(context, { path: folder, action: "write" }, () => unpackSite(file, folder));
  context.result({ file, folder, files: manifest.files.length });
  context.print(
    `✓ Unpacked ${formatCount(manifest.files.length, "site file")} to ${folder}. The database was not changed.`,
  );
}
