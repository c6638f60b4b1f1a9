import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { brandFile, contactFile } from "../../../app/features/brand/feature.server.ts";
import { queueMail } from "../../../app/features/mail/feature.server.ts";
import { addDays, calendarDay, daysBefore, instantAt } from "../../../app/lib/dates.ts";
import { errorFields } from "../../../app/lib/log.ts";
import { gauge, type MetricGroup } from "../../../app/lib/metrics.ts";
import { formatSize } from "../../../app/lib/newsroom/printing.ts";
import type { Services } from "../../../app/platform/services.ts";
import { queryRows } from "../../../db/backup/dump.ts";
import type { Database } from "../../../db/database.ts";
import { isDatabaseUnavailable } from "../../../db/failures.ts";
import { freeBytes, minFreeBytes } from "../../../db/pglite/disk-space.ts";
import {
  type BackupSource,
  backupFileName,
  backupsFolder,
  cityName,
  lastBackupFile,
  readLastBackup,
  tryBackup,
} from "./backup-command.ts";

/** The name of the job, under which the job queue keeps what became of each run. */
export const backupJob = "backup";

/** After this the newsroom hears of it: a day, and the time that a backup may take. */
export const lateAfterMs = 25 * 3_600_000;

/**
 * What became of a run; nothing where no backup was due. The job queue stores it for a week, for
 * all nodes.
 */
const outcome = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("made"),
    at: z.coerce.date(),
    file: z.string(),
    bytes: z.number(),
    node: z.string(),
  }),
  z.object({ kind: z.literal("failed"), at: z.coerce.date(), fault: z.string() }),
]);
type MadeBackup = Extract<z.infer<typeof outcome>, { kind: "made" }>;

type BackupHistory = {
  lastGood: MadeBackup | null;
  /** Why the last try failed; null if it did not. */
  lastError: string | null;
};

/** What the job queue knows about daily backups, whichever node made them. */
export async function findDailyBackups(db: Database, now: Date): Promise<BackupHistory> {
  const [queue] = await queryRows(
    db,
    sql`select to_regclass('pgboss.job') is not null as "isThere"`,
    z.object({ isThere: z.boolean() }),
  );
  if (!queue?.isThere) return { lastGood: null, lastError: null };
  const rows = await queryRows(
    db,
    sql`select output from pgboss.job
        where name = ${backupJob} and state = 'completed' and output->>'kind' in ('made', 'failed')
        order by completed_on desc limit 1000`,
    z.object({ output: outcome }),
  );
  const [last] = rows;
  return {
    // One of the future was made while the clock was wrong.
    lastGood:
      rows
        .map(({ output }) => output)
        .filter((each) => each.kind === "made")
        .find(({ at }) => at <= now) ?? null,
    lastError: last?.output.kind === "failed" ? last.output.fault : null,
  };
}

type BackupServices = Pick<Services, "site" | "db" | "clock" | "log" | "mail"> & {
  backups: BackupSource;
};

/**
 * Makes the backup that is due, if one is. It counts when it has been read again from end to end. A
 * failure is tried again the next time the job runs; the newsroom gets a mail if the last good
 * backup is older than a day.
 */
export async function makeDailyBackup(given: BackupServices): Promise<unknown> {
  const { site, db, clock, log, backups } = given;
  const { backups: settings, timeZone } = site.read(brandFile);
  const now = clock();
  if (!settings.daily) return undefined;
  const { lastGood } = await findDailyBackups(db, now);
  if (lastGood && lastGood.at >= lastDue(settings.at, now, timeZone)) return undefined;
  const folder = settings.folder ?? backupsFolder(backups);
  const file = join(folder, backupFileName(cityName(backups), now));
  const before =
    lastGood ?? (await readLastBackup((path) => readFile(path, "utf8"), backups).catch(() => null));
  const written =
    (await prepareFolder(folder, lastGood?.bytes ?? 0)) ??
    (await tryBackup(backups, file, now).catch((error: unknown) => ({
      fault: error instanceof Error ? error.message : String(error),
    })));
  if (!("fault" in written)) {
    const { bytes } = written;
    await writeFile(
      lastBackupFile(backups),
      JSON.stringify({ file, at: now.toISOString(), bytes }),
    );
    const {
      removed,
      misdated,
      errors: faults,
    } = await removeOlder(folder, cityName(backups), now, settings.keepDays);
    // A good backup counts, whatever becomes of the old ones.
    for (const message of faults) log.error("backup.not_removed", { message });
    if (misdated.length > 0) log.warn("backup.misdated", { files: misdated.join(", ") });
    log.info("backup.made", { file, bytes, removed: removed.length });
    if (before && now.getTime() - before.at.getTime() > lateAfterMs)
      await notify(given, {
        key: `backup-missed:${before.at.toISOString()}`,
        ...missedNotice(before, { file, at: now }),
      });
    return { kind: "made", at: now, file, bytes, node: hostname() };
  }
  log.error("backup.failed", { message: written.fault });
  if (!lastGood || now.getTime() - lastGood.at.getTime() > lateAfterMs - 3_600_000) {
    const notice = failureNotice(written.fault, lastGood);
    // One per day, however often it is tried.
    await notify(given, { key: `backup:${calendarDay(now, timeZone)}`, ...notice }).catch(
      (error: unknown) => {
        // On a full disk no mail can be queued either. The next good backup comes with a notice of
        // those that were missed.
        if (!isDatabaseUnavailable(error)) throw error;
        log.error("backup.notice_not_stored", errorFields(error));
      },
    );
  }
  return { kind: "failed", at: now, fault: written.fault };
}

type Notice = { subject: string; text: string };
type Known = { file: string; at: Date };

async function notify(
  { site, db, clock, mail }: BackupServices,
  notice: Notice & { key: string },
): Promise<void> {
  await queueMail(db, clock, { to: site.read(contactFile).email, ...notice });
  mail.wake();
}

const timeText = (at: Date) => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

const failureNotice = (fault: string, lastGood: Known | null): Notice => ({
  subject: "The daily backup failed",
  text: [
    `The site could not be backed up on ${hostname()}: ${fault}`,
    "",
    lastGood
      ? `The last good backup is of ${timeText(lastGood.at)}: ${lastGood.file}`
      : "There is no earlier daily backup.",
    "It is tried again every quarter of an hour. When the cause is removed, you need do nothing else; to see it at once:",
    "",
    "  ./newsroom backup",
    "  ./newsroom doctor",
    "",
  ].join("\n"),
});

/**
 * For the time in which nobody could be told, because the disk was full or no server was running.
 */
const missedNotice = (before: Known, made: Known): Notice => ({
  subject: "Daily backups were missed",
  text: [
    `Between ${timeText(before.at)} and ${timeText(made.at)} no backup was made on ${hostname()}: the disk was full, the backup failed, or no server was running.`,
    `Now there is a good one again: ${made.file}`,
    "",
    "You need do nothing. The server's log says why at backup.failed and jobs.error.",
    "",
  ].join("\n"),
});

/** When the last backup should have been made, by the clocks of the city. */
function lastDue(at: string, now: Date, timeZone: string): Date {
  const today = calendarDay(now, timeZone);
  const due = instantAt(today, at, timeZone);
  return due <= now ? due : instantAt(addDays(today, -1), at, timeZone);
}

/**
 * Creates the folder if it is missing. The fault is why no backup can be written there: one that
 * fills the disk would stop the database, which may be on the same disk.
 */
async function prepareFolder(folder: string, lastBytes: number): Promise<{ fault: string } | null> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const free = await freeBytes(folder);
    const needed = minFreeBytes + 2 * lastBytes;
    return free < needed
      ? {
          fault: `the disk of ${folder} has ${formatSize(free)} free, and a backup needs ${formatSize(needed)}.`,
        }
      : null;
  } catch (error) {
    return {
      fault: `${folder} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** These are kept whatever their age. */
const minRemaining = 3;
/** One is made per day, and now and then one before a restore. */
const maxRemovals = 2;
const dayMs = 86_400_000;

type Removal = {
  removed: string[];
  /**
   * Dated after today, so made while the clock was wrong. Nobody knows their age, so they are not
   * removed.
   */
  misdated: string[];
  errors: string[];
};

/**
 * Removes the oldest of this city's backups, those before a restore among them, that readers were
 * promised are gone by now. Ages are as wrong as the clock: one that jumps ahead makes all backups
 * look old. So the newest are kept in any case, and only a few are removed at a time; a wrong clock
 * is noticed before all are gone.
 */
export async function removeOlder(
  folder: string,
  city: string,
  now: Date,
  keepDays: number,
): Promise<Removal> {
  const removal: Removal = { removed: [], misdated: [], errors: [] };
  const names = (await readdir(folder)).filter(
    (name) =>
      name.endsWith(".tar.gz") &&
      (name.startsWith(`harborline-${city}-`) || name.startsWith("before-restore-")),
  );
  const ours: { name: string; madeAt: number }[] = [];
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found) ours.push({ name, madeAt: found.mtimeMs });
  }
  const byAge = ours.toSorted((one, other) => one.madeAt - other.madeAt);
  removal.misdated = byAge
    .filter(({ madeAt }) => madeAt > now.getTime() + dayMs)
    .map(({ name }) => name);
  const before = daysBefore(now, keepDays).getTime();
  for (const { name, madeAt } of byAge.slice(0, -minRemaining)) {
    if (madeAt >= before || removal.removed.length === maxRemovals) break;
    try {
      await rm(join(folder, name));
      removal.removed.push(name);
    } catch (error) {
      removal.errors.push(error instanceof Error ? error.message : String(error));
    }
  }
  return removal;
}

/** A backup that fails is a job that is done, so its age is a figure of its own. */
export const backupMetrics = ({
  site,
  db,
  clock,
}: Pick<Services, "site" | "db" | "clock">): MetricGroup => ({
  name: "backups",
  async read() {
    const now = clock();
    const { lastGood } = await findDailyBackups(db, now);
    const ageSeconds =
      lastGood && site.read(brandFile).backups.daily
        ? (now.getTime() - lastGood.at.getTime()) / 1_000
        : null;
    return [
      gauge("harborline_backup_age_seconds", "Age of the last good daily backup.", ageSeconds),
    ];
  },
});
