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
import { testDatabase } from "../support/database.ts";
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

it("one node makes a backup per day, deletes those older than 30 days, and sends an email if it fails", {
  timeout: 120_000,
}, async () => {
  const database = await testDatabase("postgres");
  const data = await temporaryFolder();
  const backupFolder = join(data.path, "backups");
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) });
  const site = await readSite("sites/baltimore", [siteSettingsFile, contactFile]);
  let time = new Date("2026-11-15T12:00:00Z");
  const services = {
    site,
    db: database.db,
    clock: () => time,
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
  const stop = await Promise.all([1, 2].map(() => startJobs(database, [job], services, 0.5)));
  let due = 0;
  const run = async () => {
    due += 1;
    const add =
      "insert into pgboss.job (id, name, data) values (gen_random_uuid(), 'backup', '{}'::jsonb)";
    await database.executeSql(add);
    const states = async () =>
      (await database.executeSql("select state from pgboss.job where name = 'backup'")).rows;
    await expect.poll(states, { timeout: 40_000 }).toEqual(Array(due).fill({ state: "completed" }));
  };
  await mkdir(backupFolder);
  // A new backup counts even if an old one cannot be deleted.
  const stuck = "harborline-news-20260101-000000.tar.gz";
  await mkdir(join(backupFolder, stuck));
  await utimes(join(backupFolder, stuck), new Date("2026-01-01"), new Date("2026-01-01"));
  const remaining = [
    "harborline-news-20261002-000000.tar.gz",
    "harborline-news-20261003-000000.tar.gz",
  ];
  for (const [index, name] of [
    "harborline-news-20261001-000000.tar.gz",
    ...remaining,
    "holiday.tar.gz",
  ].entries()) {
    await writeFile(join(backupFolder, name), "");
    const madeAt = new Date(`2026-10-0${index + 1}`);
    await utimes(join(backupFolder, name), madeAt, madeAt);
  }

  await run();
  const made = "harborline-news-20261115-120000.tar.gz";
  expect(await readdir(backupFolder)).toEqual([stuck, ...remaining, made, "holiday.tar.gz"]);
  expect(lines.join("")).toContain('"event":"backup.not_removed"');
  expect(await checkBackup(join(backupFolder, made))).toMatchObject({ ok: true });
  time = new Date("2026-11-16T09:00:00Z");
  await run();
  expect(await readdir(backupFolder)).toHaveLength(5);

  // Eight in the morning in Baltimore, after half past four, when the daily backup is due.
  time = new Date("2026-11-16T13:00:00Z");
  await rm(backupFolder, { recursive: true });
  await writeFile(backupFolder, "in the way");
  await run();
  await run();
  const { lastGood, lastError } = await findDailyBackups(database.db, time);
  expect(lastGood?.file).toBe(join(backupFolder, made));
  expect(lastError).toContain(backupFolder);
  const [failureMail, ...more] = await database.db.select().from(mails);
  expect(more).toEqual([]);
  expect(failureMail).toMatchObject({
    subject: "The daily backup failed",
    text: expect.stringContaining("The last good backup was made on 2026-11-15 12:00 UTC"),
  });
  expect(lines.join("")).toContain('"event":"backup.failed"');

  // On a full disk the database is read-only, and no email can be stored.
  time = new Date("2026-11-17T13:00:00Z");
  const { rows } = await database.executeSql("select current_database() as name");
  const url = new URL(inject("postgresUrl"));
  url.pathname = String((rows as { name: string }[])[0]?.name);
  const options = "-c default_transaction_read_only=on";
  const reader = new pg.Pool({ connectionString: url.href, options });
  const readOnly: Database = drizzle({ client: reader });
  await makeDailyBackup({ ...services, db: readOnly });
  await reader.end();
  expect(lines.join("")).toContain('"event":"backup.notice_not_stored"');

  await rm(backupFolder);
  await run();
  await run();
  expect(await readdir(backupFolder)).toHaveLength(1);
  const [, missedMail, ...others] = await database.db.select().from(mails).orderBy(mails.createdAt);
  expect(others).toEqual([]);
  expect(missedMail).toMatchObject({
    subject: "Daily backups were missed",
    text: expect.stringMatching(
      /^No backup was made on .* between 2026-11-15 12:00 UTC and 2026-11-17 13:00 UTC:/,
    ),
  });
  expect((await findDailyBackups(database.db, time)).lastError).toBeNull();
  for (const end of stop) await end();
  await database.close();
  await data.remove();
});
