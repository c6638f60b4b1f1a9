import { mkdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { contactFile, siteSettingsFile } from "../../../app/features/brand/feature.server.ts";
import { queueMail } from "../../../app/features/mail/feature.server.ts";
import { addDays, calendarDay, daysBefore, instantAt } from "../../../app/lib/dates.ts";
import { errorFields, errorMessage } from "../../../app/lib/log.ts";
import { gauge, type MetricGroup } from "../../../app/lib/metrics.ts";
import { formatSize } from "../../../app/lib/newsroom/printing.ts";
import type { Services } from "../../../app/platform/services.ts";
import { freeBytes, minFreeBytes } from "../../../db/pglite/disk-space.ts";
import {
  type BackupSource,
  backupFileName,
  backupsFolder,
  cityName,
  listBackups,
  type StoredBackup,
  tryBackup,
} from "./backup-command.ts";

/** The name of the job. The job queue stores the outcome of each run under it. */
export const backupJob = "backup";

/**
 * The newsroom is notified if the last backup is older than this: a day, plus the time that a
 * backup may take.
 */
export const lateAfterMs = 25 * 3_600_000;

/**
 * Finds the last backup in the folder of daily backups and in that of the data folder, however it
 * was made. One with a date in the future was made while the clock was wrong.
 */
export async function findLastBackup(
  source: Pick<BackupSource, "config" | "siteFolder">,
  folder: string | undefined,
  now: Date,
): Promise<StoredBackup | null> {
  const folders = new Set([folder ?? backupsFolder(source), backupsFolder(source)]);
  const lists = await Promise.all([...folders].map((each) => listBackups(each, cityName(source))));
  return findNewest(lists.flat(), now);
}

const findNewest = (backups: StoredBackup[], now: Date): StoredBackup | null =>
  backups
    .filter(({ madeAt }) => madeAt <= now)
    .toSorted((one, other) => other.madeAt.getTime() - one.madeAt.getTime())[0] ?? null;

type BackupServices = Pick<Services, "site" | "db" | "clock" | "log" | "mail"> & {
  backups: BackupSource;
};

/**
 * Makes a backup if one is due. A backup counts as good only after it has been read again and
 * verified. After a failure the next run of the job tries again. The newsroom gets an email if the
 * last good backup is more than a day old.
 */
export async function makeDailyBackup(services: BackupServices): Promise<void> {
  const { site, db, clock, log, mail, backups } = services;
  const { backups: settings, timeZone } = site.read(siteSettingsFile);
  const now = clock();
  if (!settings.daily) return;
  const folder = settings.folder ?? backupsFolder(backups);
  const lastGood = findNewest(await listBackups(folder, cityName(backups)), now);
  if (lastGood && lastGood.madeAt >= findLastDue(settings.at, now, timeZone)) return;
  const file = join(folder, backupFileName(cityName(backups), now));
  const result =
    (await prepareFolder(folder, lastGood)) ??
    (await tryBackup(backups, file, now).catch((error: unknown) => ({
      error: errorMessage(error),
    })));
  if (!("error" in result)) {
    const { bytes } = result;
    // The new backup is good even if old ones cannot be deleted.
    const removed = await deleteOldBackups(
      folder,
      cityName(backups),
      now,
      settings.keepDays,
      (error) => log.error("backup.not_removed", errorFields(error)),
    );
    log.info("backup.made", { file, bytes, removed: removed.length });
    return;
  }
  log.error("backup.failed", { message: result.error });
  if (!lastGood || now.getTime() - lastGood.madeAt.getTime() > lateAfterMs - 3_600_000) {
    await queueMail(db, clock, {
      // The key limits this to one email per day, no matter how often the backup fails.
      key: `backup:${calendarDay(now, timeZone)}`,
      to: site.read(contactFile).email,
      ...composeFailureMail(result.error, folder, lastGood),
    });
    mail.wake();
  }
}

const formatTime = (at: Date) => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

const composeFailureMail = (error: string, folder: string, lastGood: StoredBackup | null) => ({
  subject: "The daily backup failed",
  text: [
    `The daily backup on ${hostname()} failed: ${error}`,
    "",
    lastGood
      ? `The last good backup was made on ${formatTime(lastGood.madeAt)}: ${lastGood.file}`
      : `There is no earlier backup in ${folder}.`,
    "The server tries again every 15 minutes, so you only need to fix the cause. To check right away that it is fixed, run:",
    "",
    "  ./newsroom backup",
    "  ./newsroom doctor",
    "",
  ].join("\n"),
});

function findLastDue(at: string, now: Date, timeZone: string): Date {
  const today = calendarDay(now, timeZone);
  const due = instantAt(today, at, timeZone);
  return due <= now ? due : instantAt(addDays(today, -1), at, timeZone);
}

/**
 * Creates the folder if it is missing, and returns an error if no backup can be written there. A
 * backup that fills the disk would stop the database, which may be on the same disk.
 */
async function prepareFolder(
  folder: string,
  last: StoredBackup | null,
): Promise<{ error: string } | null> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lastBytes = last ? (await stat(last.file)).size : 0;
    const free = await freeBytes(folder);
    const needed = minFreeBytes + 2 * lastBytes;
    return free < needed
      ? {
          error: `the disk that holds ${folder} has only ${formatSize(free)} free, and a backup needs ${formatSize(needed)}.`,
        }
      : null;
  } catch (error) {
    return { error: `the folder ${folder} cannot be used: ${errorMessage(error)}` };
  }
}

/** This many of the newest backups are never deleted, no matter how old they are. */
const minBackupsLeft = 3;
/** A day adds one backup, and sometimes one before a restore. */
const maxDeletionsPerRun = 2;

/**
 * Deletes this city's backups that are older than `keepDays`, as the privacy policy promises,
 * including those made before a restore. A clock that jumps ahead makes all backups look old. So
 * the newest always stay, and only a few are deleted per run, so that there is time to notice.
 */
export async function deleteOldBackups(
  folder: string,
  city: string,
  now: Date,
  keepDays: number,
  onError: (error: unknown) => void,
): Promise<string[]> {
  const cutoff = daysBefore(now, keepDays);
  const oldBackups = (await listBackups(folder, city))
    .slice(0, -minBackupsLeft)
    .filter(({ madeAt }) => madeAt < cutoff)
    .slice(0, maxDeletionsPerRun);
  const removed: string[] = [];
  for (const { file } of oldBackups)
    await rm(file).then(() => removed.push(basename(file)), onError);
  return removed;
}

/**
 * The age of the last good backup. The metrics of jobs do not show it, because a job whose backup
 * failed still counts as done.
 */
export const backupMetrics = (
  { site, clock }: Pick<Services, "site" | "clock">,
  source: Pick<BackupSource, "config" | "siteFolder">,
): MetricGroup => ({
  name: "backups",
  async read() {
    const now = clock();
    const { daily: isDaily, folder } = site.read(siteSettingsFile).backups;
    const last = await findLastBackup(source, folder, now);
    const ageSeconds = last && isDaily ? (now.getTime() - last.madeAt.getTime()) / 1_000 : null;
    return [
      gauge("harborline_backup_age_seconds", "Age of the last good backup.", ageSeconds),
      gauge(
        "harborline_backup_missing",
        "1 if daily backups are on and there is no good backup, 0 otherwise.",
        isDaily && !last ? 1 : 0,
      ),
    ];
  },
});
