import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { blogImages } from "../../app/features/blog/schema.server.ts";
import { contactFile } from "../../app/features/brand/contact-file.server.ts";
import { siteSettingsFile } from "../../app/features/brand/files.server.ts";
import { contactMessages } from "../../app/features/contact/schema.server.ts";
import { calendarEvents } from "../../app/features/events/import/schema.server.ts";
import { feedItems, headlines } from "../../app/features/feeds/schema.server.ts";
import { mails } from "../../app/features/mail/schema.server.ts";
import { holdBackMails } from "../../app/features/mail/stored-mails.server.ts";
import {
  findIssue,
  findUnfinishedIssue,
  holdBackIssues,
  listIssues,
} from "../../app/features/newsletter/issues/issue.server.ts";
import { newsletterIssues } from "../../app/features/newsletter/schema.server.ts";
import { createSafeFetch } from "../../app/lib/external/safe-fetch.server.ts";
import { createLog } from "../../app/lib/log.ts";
import { formatMetrics } from "../../app/lib/metrics.ts";
import type { Job } from "../../app/platform/feature.ts";
import { countExistingRows, findIncompatibility, load, queryRows } from "../../db/backup/dump.ts";
import type { OpenDatabase } from "../../db/database.ts";
import {
  checkBackup,
  readRows,
  unpackSite,
  writeBackup,
} from "../../server/newsroom/backup/backup.ts";
import {
  backupFileName,
  listBackups,
  tryBackup,
} from "../../server/newsroom/backup/backup-command.ts";
import {
  backupJob,
  backupMetrics,
  makeDailyBackup,
} from "../../server/newsroom/backup/daily-backup.ts";
import { startJobs } from "../../server/process/jobs.ts";
import { readSite } from "../../server/site/site-files.ts";
import { databaseKinds, openTestDatabase } from "../support/database.ts";
import { temporaryFolder } from "../support/server.ts";
import { runInThisThread } from "../support/worker-pool.ts";

const now = new Date("2026-11-15T06:00:00Z");
const siteFolder = "sites/baltimore/news";
type Kind = (typeof databaseKinds)[number];
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** For each kind of database: one with rows, their backup, and a database for restores. */
let databases: Record<Kind, { source: OpenDatabase; file: string; target: OpenDatabase }>;

beforeAll(async () => {
  folder = await temporaryFolder();
  const open = async (kind: Kind) => {
    const source = await openTestDatabase(kind);
    await fillTables(source);
    const file = await backUp(source, `${kind}.tar.gz`);
    return { source, file, target: await openTestDatabase(kind) };
  };
  databases = { pglite: await open("pglite"), postgres: await open("postgres") };
});
afterAll(async () => {
  for (const { source, target } of Object.values(databases ?? {})) {
    await source.close();
    await target.close();
  }
  await folder.remove();
});

/** Stores every kind of value that our tables contain, including the difficult ones. */
async function fillTables({ db }: OpenDatabase): Promise<void> {
  const headlineTimes = { shownAt: now, firstSeenAt: now };
  const titles = ['Crab “soup” 🦀 \\ "quoted"', "línea\nnueva\ttab", "", "null", "{a,b}"];
  const rows = titles.map((title, index) => ({
    ...headlineTimes,
    title,
    identity: `i${index}`,
    sourceId: "s",
    link: "l",
    summary: "",
  }));
  const storedHeadlines = await db.insert(headlines).values(rows).returning({ id: headlines.id });
  const [firstHeadline = { id: 0 }, , thirdHeadline = { id: 0 }] = storedHeadlines;
  await db
    .insert(feedItems)
    .values({ sourceId: "s", key: "k", headlineId: firstHeadline.id, link: "l", shownAt: now });
  // The newest id was used and deleted. It must not be used again.
  await db.delete(headlines).where(sql`${headlines.id} = (select max(id) from headlines)`);
  await db.execute(
    sql`update headlines set "shownAt" = '2026-11-15 01:02:03.456789+00' where id = ${thirdHeadline.id}`,
  );
  await db.insert(blogImages).values({
    url: "p",
    type: "image/png",
    bytes: new Uint8Array(70_000).map((_, i) => i),
    fetchedAt: now,
  });
  await db.insert(calendarEvents).values({
    source: "c",
    id: "e",
    series: "e",
    title: "t",
    description: "",
    location: "",
    url: "",
    startsAt: now,
    endsAt: now,
    firstSeenAt: now,
    seenAt: now,
    allDay: false,
    cancelled: true,
    categories: ["Food & Drink", 'say "hi", twice', ""],
  });
  await db.insert(mails).values({
    key: "k",
    recipient: "ann@example.com",
    subject: "é",
    text: "t",
    state: "waiting",
    attempts: 0,
    dueAt: now,
    createdAt: now,
    headers: { "X-A": 'b"\\\n🦀', n: "null" },
  });
  await db.insert(newsletterIssues).values({
    id: "2026-11-08",
    subject: "s",
    text: "t",
    html: "h",
    readers: 0,
    confirmedBy: now,
    createdAt: now,
  });
  await db.insert(contactMessages).values({
    key: "k",
    category: "General",
    name: "",
    email: "",
    message: "Hello\r\nthere",
    state: "waiting",
    createdAt: now,
  });
}

/** Returns every row of every table, in the database's own text representation. */
async function readEverything({ db }: OpenDatabase): Promise<string> {
  await db.execute(sql`set timezone to 'UTC'`);
  const tables = await queryRows(
    db,
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    z.object({ name: z.string() }),
  );
  const contents: unknown[] = [];
  for (const { name } of tables)
    contents.push(
      name,
      await queryRows(
        db,
        sql`select t::text as row from ${sql.identifier(name)} t order by 1`,
        z.object({ row: z.string() }),
      ),
    );
  return JSON.stringify(contents, null, 1);
}

const ignoreProgress = () => {};
const backUp = async ({ db }: OpenDatabase, name: string) => {
  const file = join(folder.path, name);
  await writeBackup(file, { db, siteFolder, city: "baltimore", now }, ignoreProgress);
  return file;
};
const readManifest = async (file: string) => {
  const checked = await checkBackup(file);
  if (!checked.ok) throw new Error(checked.reason);
  return checked.manifest;
};
const restore = async ({ db }: OpenDatabase, file: string) => {
  const manifest = await readManifest(file);
  expect(await findIncompatibility(db, manifest)).toBeNull();
  await load(db, manifest.tables, readRows(file), ignoreProgress);
};

describe.each(databaseKinds)("a backup of %s", (kind) => {
  it.each(databaseKinds)("restores exactly the same rows in %s", async (other) => {
    const { source, file } = databases[kind];
    const { target } = databases[other];
    await restore(target, file);
    expect(await readEverything(target)).toBe(await readEverything(source));
    // The next id continues where the old database stopped.
    const row = {
      identity: "new",
      sourceId: "s",
      title: "",
      link: "l",
      summary: "",
      firstSeenAt: now,
      shownAt: now,
    };
    const [newRow] = await target.db.insert(headlines).values(row).returning({ id: headlines.id });
    expect(newRow?.id).toBe(6);
    // A restore into a database that contains data gives the same rows, without duplicates.
    expect((await countExistingRows(target.db, [])).map(({ table }) => table)).toContain(
      "contact_messages",
    );
    await restore(target, file);
    expect(await readEverything(target)).toBe(await readEverything(source));
  });

  it("does not cause waiting emails or the issue that is due to be sent again after a restore", async () => {
    const { file, target } = databases[kind];
    const manifest = await readManifest(file);
    await load(target.db, manifest.tables, readRows(file), ignoreProgress, async (tx) => {
      expect(await holdBackMails(tx, now)).toBe(1);
      await holdBackIssues(tx, now, [
        { id: "2026-11-15", at: now },
        { id: "2026-11-08", at: now },
      ]);
    });
    for (const id of ["2026-11-15", "2026-11-08"])
      expect(await findIssue(target.db, id)).toMatchObject({ writtenAt: now });
    expect((await listIssues(target.db)).map(({ id }) => id)).toContain("2026-11-08");
    expect(await findUnfinishedIssue(target.db)).toBeNull();
    expect(await target.db.select({ state: mails.state }).from(mails)).toEqual([
      { state: "unclear" },
    ]);
  });

  it("does not overwrite what readers send during a restore", async () => {
    const { file, target } = databases[kind];
    const manifest = await readManifest(file);
    const writeMessage = (key: string) =>
      target.db.insert(contactMessages).values({
        key,
        category: "",
        name: "",
        email: "",
        message: "m",
        state: "waiting",
        createdAt: now,
      });
    const listKeys = async (db = target.db) =>
      (await db.select({ key: contactMessages.key }).from(contactMessages))
        .map(({ key }) => key)
        .toSorted();
    await target.db.delete(contactMessages);
    await writeMessage("before");
    const attempts: PromiseSettledResult<unknown>[] = await target
      .withoutWriters(async (db) => {
        const lateWrites = [writeMessage("late"), writeMessage("later")];
        // Other sessions can read, and see the old rows.
        expect(await listKeys()).toEqual(["before"]);
        expect(await listKeys(db)).toEqual(["before"]);
        await load(db, manifest.tables, readRows(file), ignoreProgress);
        return lateWrites;
      })
      .then((lateWrites) => Promise.allSettled(lateWrites));
    const storedKeys = ["late", "later"].filter(
      (_, index) => attempts[index]?.status === "fulfilled",
    );
    expect(await listKeys()).toEqual(["k", ...storedKeys]);
    await writeMessage("afterwards");
  });

  it("changes nothing if its restore fails halfway", async () => {
    const { source, file } = databases[kind];
    const manifest = await readManifest(file);
    const before = await readEverything(source);
    async function* failingRows() {
      yield* readRows(file);
      throw new Error("the disk is gone");
    }
    await expect(load(source.db, manifest.tables, failingRows(), ignoreProgress)).rejects.toThrow(
      "the disk is gone",
    );
    expect(await readEverything(source)).toBe(before);
  });

  it("of an older version is refused with one sentence", async () => {
    const { source, target } = databases[kind];
    await source.executeSql("update drizzle.__drizzle_migrations set hash = 'older-' || hash");
    onTestFinished(async () => {
      await source.executeSql("update drizzle.__drizzle_migrations set hash = substr(hash, 7)");
    });
    const file = await backUp(source, `older-${kind}.tar.gz`);
    expect(await findIncompatibility(target.db, await readManifest(file))).toBe(
      "It was made by an older version of Harborline, whose backups this version cannot restore.",
    );
  });

  it("is refused by an older database", async () => {
    const { source, file } = databases[kind];
    const manifest = await readManifest(file);
    const newer = { ...manifest, migrations: [...manifest.migrations, "a-future-migration"] };
    expect(await findIncompatibility(source.db, newer)).toContain("newer version of Harborline");
  });
});

describe("a backup file", () => {
  it("can be read only by its owner, contains the site files, and is refused if a byte has changed", async () => {
    const { file } = databases.pglite;
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const unpacked = join(folder.path, "unpacked");
    await unpackSite(file, unpacked);
    for (const name of await readdir(siteFolder))
      expect(await readFile(join(unpacked, name))).toEqual(await readFile(join(siteFolder, name)));

    const intactBytes = await readFile(file);
    const damagedFile = join(folder.path, "damaged.tar.gz");
    const half = Math.floor(intactBytes.length / 2);
    const corruptions = {
      "cut off": intactBytes.subarray(0, intactBytes.length - 100),
      "cut in half": intactBytes.subarray(0, half),
      "one byte changed": Buffer.concat([
        intactBytes.subarray(0, half),
        Buffer.from([(intactBytes[half] ?? 0) ^ 1]),
        intactBytes.subarray(half + 1),
      ]),
      empty: Buffer.alloc(0),
      "something else": Buffer.from("This is a letter, not a backup."),
    };
    for (const [corruption, bytes] of Object.entries(corruptions)) {
      await writeFile(damagedFile, bytes);
      expect(await checkBackup(damagedFile), corruption).toMatchObject({ ok: false });
    }
    expect(await checkBackup(join(folder.path, "none"))).toMatchObject({
      ok: false,
      reason: expect.stringContaining("does not exist"),
    });
  });
});

it("a backup that cannot be written says why", async () => {
  const { takeSnapshot } = databases.postgres.source;
  const source = {
    config: { dataDir: folder.path },
    siteFolder,
    isServing: true,
    progress() {},
    takeSnapshot,
  };
  expect(await tryBackup(source, "/proc/no", now)).toEqual({
    error: expect.stringContaining("/proc/no"),
  });
  expect(await tryBackup(source, join(folder.path, "x".repeat(300)), now)).toEqual({
    error: expect.stringContaining("name too long"),
  });
});

const mail = {
  kind: "files" as const,
  wake() {},
  sendDue: async () => {},
  deleteOld: async () => 0,
  deleteFiles: async () => {},
};

it("one node makes a backup per day, deletes backups that are too old, and sends an email if the backup fails", async () => {
  const database = await openTestDatabase("postgres");
  const data = await temporaryFolder();
  onTestFinished(async () => {
    await database.close();
    await data.remove();
  });
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
    tally: { count() {}, flush: async () => {} },
    leadsToPage: async () => false,
    mail,
    backups: {
      config: { dataDir: data.path },
      siteFolder,
      isServing: true,
      progress() {},
      takeSnapshot: database.takeSnapshot,
    },
  };
  const job: Job<typeof services> = { name: backupJob, cron: "0 0 29 2 *", run: makeDailyBackup };
  const stopFunctions = await Promise.all(
    [1, 2].map(() => startJobs(database, [job], services, 0.5)),
  );
  onTestFinished(async () => {
    for (const stop of stopFunctions) await stop();
  });
  let dueCount = 0;
  const runJob = async () => {
    dueCount += 1;
    const insertJob =
      "insert into pgboss.job (id, name, data) values (gen_random_uuid(), 'backup', '{}'::jsonb)";
    await database.executeSql(insertJob);
    const readStates = async () =>
      (await database.executeSql("select state from pgboss.job where name = 'backup'")).rows;
    await expect.poll(readStates).toEqual(Array(dueCount).fill({ state: "completed" }));
  };
  // A backup that was made by hand counts too.
  const readMetrics = async () =>
    formatMetrics(await backupMetrics(services, services.backups).read());
  expect(await readMetrics()).toContain("\nharborline_backup_missing 1\n");
  await mkdir(backupFolder);
  const madeByHand = join(backupFolder, backupFileName("news", new Date("2026-11-15T06:00:00Z")));
  await writeFile(madeByHand, "");
  expect(await readMetrics()).toContain("\nharborline_backup_missing 0\n");
  expect(await readMetrics()).toContain("\nharborline_backup_age_seconds 21600\n");
  await rm(madeByHand);
  // A new backup counts even if an old one cannot be deleted.
  const undeletableBackup = "harborline-news-20260101-000000.tar.gz";
  await mkdir(join(backupFolder, undeletableBackup));
  const recentBackups = [
    "harborline-news-20261002-000000.tar.gz",
    "harborline-news-20261003-000000.tar.gz",
  ];
  for (const name of ["harborline-news-20261001-000000.tar.gz", ...recentBackups, "holiday.tar.gz"])
    await writeFile(join(backupFolder, name), "");

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
  time = new Date("2026-11-16T09:00:00Z");
  await runJob();
  expect(await readdir(backupFolder)).toHaveLength(5);

  // It is 8:00 a.m. in Baltimore. The daily backup is due at 4:30 a.m.
  time = new Date("2026-11-16T13:00:00Z");
  await rm(backupFolder, { recursive: true });
  await writeFile(backupFolder, "in the way");
  await runJob();
  await runJob();
  const [failureMail, ...otherMails] = await database.db.select().from(mails);
  expect(otherMails).toEqual([]);
  expect(failureMail).toMatchObject({
    subject: "The daily backup failed",
    text: expect.stringContaining(`There is no earlier backup in ${backupFolder}.`),
  });
  expect(lines.join("")).toContain('"event":"backup.failed"');

  time = new Date("2026-11-17T13:00:00Z");
  await rm(backupFolder);
  await runJob();
  await runJob();
  expect(await listBackups(backupFolder, "news")).toHaveLength(1);
});
