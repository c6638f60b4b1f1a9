import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { expect, inject, it } from "vitest";
import { contactFile } from "../../app/features/brand/contact-file.server.ts";
import { siteSettingsFile } from "../../app/features/brand/files.server.ts";
import { mails } from "../../app/features/mail/schema.server.ts";
import { createSafeFetch } from "../../app/lib/external/safe-fetch.server.ts";
import { createLog } from "../../app/lib/log.ts";
import type { Job } from "../../app/platform/job.ts";
import type { Database } from "../../db/database.ts";
import { checkBackup } from "../../server/newsroom/backup/backup.ts";
import {
  backupJob,
  findDailyBackups,
  makeDailyBackup,
} from "../../server/newsroom/backup/daily-backup.ts";
import { startJobs } from "../../server/process/jobs.ts";
import { readSite } from "../../server/site/site-files.ts";
import { openTestDatabase } from "../support/database.ts";
import { temporaryFolder } from "../support/server.ts";
import { runInThisThread } from "../support/worker-pool.ts";

const siteFolder = "sites/baltimore/news";
const mail = {
  kind: "files" as const,
  wake() {},
  sendDue: async () => {},
  deleteOld: async () => 0,
  deleteFiles: async () => {},
};

it("one node makes a backup per day, deletes backups that are too old, and sends an email if the backup fails", {
  timeout: 120_000,
}, async () => {
  const database = await openTestDatabase("postgres");
  const data = await temporaryFolder();
  const backupFolder = join(data.path, "backups");
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) });
  const site = await readSite("sites/baltimore", [siteSettingsFile, contactFile]);
  let now = new Date("2026-11-15T12:00:00Z");
  const services = {
    site,
    db: database.db,
    clock: () => now,
    log,
    fetch: createSafeFetch(),
    runInWorker: runInThisThread,
    mail,
    backups: {
      config: { dataDir: data.path },
      siteFolder,
      isServing: true,
      progress() {},
      takeSnapshot: database.takeSnapshot,
    },
  };
  const job: Job<typeof services> = { name: backupJob, cron: "0 0 1 1 *", run: makeDailyBackup };
  const stopFunctions = await Promise.all(
    [1, 2].map(() => startJobs(database, [job], services, 0.5)),
  );
  let dueCount = 0;
  const runJob = async () => {
    dueCount += 1;
    const insertJob =
      "insert into pgboss.job (id, name, data) values (gen_random_uuid(), 'backup', '{}'::jsonb)";
    await database.executeSql(insertJob);
    const readStates = async () =>
      (await database.executeSql("select state from pgboss.job where name = 'backup'")).rows;
    await expect
      .poll(readStates, { timeout: 40_000 })
      .toEqual(Array(dueCount).fill({ state: "completed" }));
  };
  await mkdir(backupFolder);
  // A new backup counts even if an old one cannot be deleted.
  const undeletableBackup = "harborline-news-20260101-000000.tar.gz";
  await mkdir(join(backupFolder, undeletableBackup));
  await utimes(
    join(backupFolder, undeletableBackup),
    new Date("2026-01-01"),
    new Date("2026-01-01"),
  );
  const recentBackups = [
    "harborline-news-20261002-000000.tar.gz",
    "harborline-news-20261003-000000.tar.gz",
  ];
  for (const [index, name] of [
    "harborline-news-20261001-000000.tar.gz",
    ...recentBackups,
    "holiday.tar.gz",
  ].entries()) {
    await writeFile(join(backupFolder, name), "");
    const madeAt = new Date(`2026-10-0${index + 1}`);
    await utimes(join(backupFolder, name), madeAt, madeAt);
  }

  await runJob();
  const newBackup = "harborline-news-20261115-120000.tar.gz";
  expect(await readdir(backupFolder)).toEqual([
    undeletableBackup,
    ...recentBackups,
    newBackup,
    "holiday.tar.gz",
  ]);
  expect(lines.join("")).toContain('"event":"backup.not_removed"');
  expect(await checkBackup(join(backupFolder, newBackup))).toMatchObject({ ok: true });
  now = new Date("2026-11-16T09:00:00Z");
  await runJob();
  expect(await readdir(backupFolder)).toHaveLength(5);

  // It is 8:00 a.m. in Baltimore. The daily backup is due at 4:30 a.m.
  now = new Date("2026-11-16T13:00:00Z");
  await rm(backupFolder, { recursive: true });
  await writeFile(backupFolder, "in the way");
  await runJob();
  await runJob();
  const { lastGood, lastError } = await findDailyBackups(database.db, now);
  expect(lastGood?.file).toBe(join(backupFolder, newBackup));
  expect(lastError).toContain(backupFolder);
  const [failureMail, ...otherMails] = await database.db.select().from(mails);
  expect(otherMails).toEqual([]);
  expect(failureMail).toMatchObject({
    subject: "The daily backup failed",
    text: expect.stringContaining("The last good backup was made on 2026-11-15 12:00 UTC"),
  });
  expect(lines.join("")).toContain('"event":"backup.failed"');

  // On a full disk the database is read-only, and no email can be stored.
  now = new Date("2026-11-17T13:00:00Z");
  const { rows } = await database.executeSql("select current_database() as name");
  const url = new URL(inject("postgresUrl"));
  url.pathname = String((rows as { name: string }[])[0]?.name);
  const options = "-c default_transaction_read_only=on";
  const readOnlyPool = new pg.Pool({ connectionString: url.href, options });
  const readOnlyDb: Database = drizzle({ client: readOnlyPool });
  await makeDailyBackup({ ...services, db: readOnlyDb });
  await readOnlyPool.end();
  expect(lines.join("")).toContain('"event":"backup.notice_not_stored"');

  await rm(backupFolder);
  await runJob();
  await runJob();
  expect(await readdir(backupFolder)).toHaveLength(1);
  const [, missedMail, ...laterMails] = await database.db
    .select()
    .from(mails)
    .orderBy(mails.createdAt);
  expect(laterMails).toEqual([]);
  expect(missedMail).toMatchObject({
    subject: "Daily backups were missed",
    text: expect.stringMatching(
      /^No backup was made on .* between 2026-11-15 12:00 UTC and 2026-11-17 13:00 UTC:/,
    ),
  });
  expect((await findDailyBackups(database.db, now)).lastError).toBeNull();
  for (const stop of stopFunctions) await stop();
  await database.close();
  await data.remove();
});
