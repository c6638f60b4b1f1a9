import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { contactFile, siteSettingsFile } from "../../../app/features/brand/feature.server.ts";
import { queueMail } from "../../../app/features/mail/feature.server.ts";
import { addDays, calendarDay, daysBefore, instantAt } from "../../../app/lib/dates.ts";
import { errorFields, errorMessage } from "../../../app/lib/log.ts";
import { gauge, type MetricGroup } from "../../../app/lib/metrics.ts";
import { formatSize } from "../../../app/lib/newsroom/printing.ts";
import type { Services } from "../../../app/platform/services.ts";
import { queryRows } from "../../../db/backup/dump.ts";
import type { Database } from "../../../db/database.ts";
import { freeBytes, minFreeBytes } from "../../../db/pglite/disk-space.ts";
import { hasJobQueue } from "../../process/jobs.ts";
import {
  type BackupSource,
  backupFileName,
  backupsFolder,
  cityName,
  readLastBackup,
  recordBackup,
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
 * The outcome of a run in which a backup was due. The job queue stores it for a week, where all
 * nodes can read it.
 */
const outcomeSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("made"),
    at: z.coerce.date(),
    file: z.string(),
    bytes: z.number(),
    node: z.string(),
  }),
  z.object({ kind: z.literal("failed"), at: z.coerce.date(), error: z.string() }),
]);
type MadeBackup = Extract<z.infer<typeof outcomeSchema>, { kind: "made" }>;

type BackupHistory = {
  lastGood: MadeBackup | null;
  /** Why the last attempt failed; null if it succeeded. */
  lastError: string | null;
};

/** Reads from the job queue what it knows about daily backups, no matter which node made them. */
export async function findDailyBackups(db: Database, now: Date): Promise<BackupHistory> {
  if (!(await hasJobQueue(db))) return { lastGood: null, lastError: null };
  const rows = await queryRows(
    db,
    sql`select output from pgboss.job
        where name = ${backupJob} and state = 'completed' and output->>'kind' in ('made', 'failed')
        order by completed_on desc limit 1000`,
    z.object({ output: outcomeSchema }),
  );
  const [last] = rows;
  return {
    // A backup with a date in the future was made while the clock was wrong.
    lastGood:
      rows
        .map(({ output }) => output)
        .filter((each) => each.kind === "made")
        .find(({ at }) => at <= now) ?? null,
    lastError: last?.output.kind === "failed" ? last.output.error : null,
  };
}

type BackupServices = Pick<Services, "site" | "db" | "clock" | "log" | "mail"> & {
  backups: BackupSource;
};

/**
 * Makes a backup if one is due. A backup counts as good only after it has been read again and
 * verified. After a failure the next run of the job tries again. The newsroom gets an email if the
 * last good backup is more than a day old.
 */
export async function makeDailyBackup(services: BackupServices): Promise<unknown> {
  const { site, db, clock, log, mail, backups } = services;
  const { backups: settings, timeZone } = site.read(siteSettingsFile);
  const now = clock();
  if (!settings.daily) return undefined;
  const { lastGood } = await findDailyBackups(db, now);
  if (lastGood && lastGood.at >= findLastDue(settings.at, now, timeZone)) return undefined;
  const folder = settings.folder ?? backupsFolder(backups);
  const file = join(folder, backupFileName(cityName(backups), now));
  const result =
    (await prepareFolder(folder, lastGood?.bytes ?? 0)) ??
    (await tryBackup(backups, file, now).catch((error: unknown) => ({
      error: errorMessage(error),
    })));
  if (!("error" in result)) {
    const { bytes } = result;
    await recordBackup(backups, { file, at: now, bytes });
    // The new backup is good even if old ones cannot be deleted.
    const removed = await deleteOldBackups(
      folder,
      cityName(backups),
      now,
      settings.keepDays,
      (error) => log.error("backup.not_removed", errorFields(error)),
    );
    log.info("backup.made", { file, bytes, removed: removed.length });
    return { kind: "made", at: now, file, bytes, node: hostname() };
  }
  log.error("backup.failed", { message: result.error });
  if (!lastGood || now.getTime() - lastGood.at.getTime() > lateAfterMs - 3_600_000) {
    await queueMail(db, clock, {
      // The key limits this to one email per day, no matter how often the backup fails.
      key: `backup:${calendarDay(now, timeZone)}`,
      to: site.read(contactFile).email,
      ...composeFailureMail(result.error, lastGood),
    });
    mail.wake();
  }
  return { kind: "failed", at: now, error: result.error };
}

const formatTime = (at: Date) => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

const composeFailureMail = (error: string, lastGood: MadeBackup | null) => ({
  subject: "The daily backup failed",
  text: [
    `The daily backup on ${hostname()} failed: ${error}`,
    "",
    lastGood
      ? `The last good backup was made on ${formatTime(lastGood.at)}: ${lastGood.file}`
      : "There is no earlier daily backup.",
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
async function prepareFolder(folder: string, lastBytes: number): Promise<{ error: string } | null> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
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
  const entries = await readdir(folder).catch((error: unknown) => {
    onError(error);
    return [];
  });
  const names = entries.filter(
    (name) =>
      name.endsWith(".tar.gz") &&
      (name.startsWith(`harborline-${city}-`) || name.startsWith("before-restore-")),
  );
  const backups: { name: string; madeAt: Date }[] = [];
  // A link without its file, or a file that was just moved away, must not keep the others.
  for (const name of names)
    await stat(join(folder, name)).then(
      ({ mtime }) => backups.push({ name, madeAt: mtime }),
      onError,
    );
  const cutoff = daysBefore(now, keepDays);
  const oldBackups = backups
    .toSorted((one, other) => one.madeAt.getTime() - other.madeAt.getTime())
    .slice(0, -minBackupsLeft)
    .filter(({ madeAt }) => madeAt < cutoff)
    .slice(0, maxDeletionsPerRun);
  const removed: string[] = [];
  for (const { name } of oldBackups)
    await rm(join(folder, name)).then(() => removed.push(name), onError);
  return removed;
}

type LastBackup = { file: string; at: Date; node: string };

/**
 * Returns the last good backup: the one of the daily job, or one that was made by hand on this
 * node.
 */
export async function findLastBackup(
  daily: MadeBackup | null,
  source: Pick<BackupSource, "config">,
): Promise<LastBackup | null> {
  const local = await readLastBackup(source);
  return local && (!daily || local.at >= daily.at) ? { ...local, node: hostname() } : daily;
}

/**
 * The age of the last good backup. The metrics of jobs do not show it, because a job whose backup
 * failed still counts as done.
 */
export const backupMetrics = (
  { site, db, clock }: Pick<Services, "site" | "db" | "clock">,
  source: Pick<BackupSource, "config">,
): MetricGroup => ({
  name: "backups",
  async read() {
    const now = clock();
    const { lastGood } = await findDailyBackups(db, now);
    const last = await findLastBackup(lastGood, source);
    const isDaily = site.read(siteSettingsFile).backups.daily;
    const ageSeconds = last && isDaily ? (now.getTime() - last.at.getTime()) / 1_000 : null;
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
