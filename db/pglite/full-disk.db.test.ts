import { cpSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  it,
  onTestFinished,
} from "vitest";
import { mountDisk, mountProblem, type SmallDisk } from "../../tests/support/small-disk.ts";
import { openDatabase } from "../client.ts";
import { maintain } from "./maintenance.ts";
import { openPgliteThread } from "./thread.ts";

const megabyte = 1024 * 1024;
const diskFullError = { name: "DiskFull", message: expect.stringContaining("is full") };

if (mountProblem) it.skip(`full disks are not tested: ${mountProblem}`, () => {});

describe.skipIf(mountProblem)("the built-in database on a nearly full disk", () => {
  let disk: SmallDisk;
  beforeAll(() => {
    disk = mountDisk(240 * megabyte);
    cpSync(join(inject("dataTemplate"), "database"), join(disk.path, "database"), {
      recursive: true,
    });
  });
  beforeEach(() => disk.leaveFree(Number.POSITIVE_INFINITY));
  afterAll(() => disk?.unmount());

  it("refuses writes, stops if its log has no space, lets the server start, and works again whenever there is space", async () => {
    const errors: string[] = [];
    const open = () =>
      openDatabase({ dataDir: disk.path, onError: ({ message }) => errors.push(message) });
    let database = await open();
    onTestFinished(() => database.close());
    await database.executeSql("create table ids (id int primary key)");
    const storeId = (id: number) => database.executeSql("insert into ids (id) values ($1)", [id]);
    const readIds = async () =>
      (await database.executeSql("select id from ids order by id")).rows.map(
        (row) => (row as { id: number }).id,
      );
    const expectStoreSucceeds = (id: number) =>
      expect
        .poll(
          () =>
            storeId(id).then(
              () => true,
              () => false,
            ),
          { interval: 100 },
        )
        .toBe(true);

    // It reads everything, refuses writes, and accepts them again when there is space.
    await storeId(1);
    disk.leaveFree(40 * megabyte);
    await expect
      .poll(() => storeId(2).catch((error) => error), { interval: 50 })
      .toMatchObject(diskFullError);
    await expect(
      database.db.transaction(async (tx) => {
        await tx.execute(sql`insert into ids (id) values (3)`);
      }),
    ).rejects.toMatchObject({ cause: diskFullError });
    expect((await readIds()).filter((id) => id !== 2)).toEqual([1]);
    disk.leaveFree(110 * megabyte);
    await expectStoreSucceeds(4);

    // It stops if its log has no space, and opens again when there is space.
    const beforeStop = await readIds();
    const filling = database.db.transaction(async (tx) => {
      await tx.execute(sql`insert into ids (id) values (5)`);
      // The log fills the disk before the next check of the free space.
      disk.leaveFree(6 * megabyte);
      for (;;)
        await tx.execute(sql`select pg_logical_emit_message(false, 'log', repeat('x', 4000000))`);
    });
    await expect(filling).rejects.toMatchObject({ cause: { name: "DatabaseThreadEnded" } });
    expect(errors[0]).toContain("pg_wal");
    await expect(readIds()).rejects.toMatchObject(diskFullError);
    disk.leaveFree(110 * megabyte);
    await expect.poll(() => readIds().catch(() => null), { interval: 100 }).toEqual(beforeStop);
    await expectStoreSucceeds(6);

    // It does not prevent the server from starting, and opens when there is space.
    const beforeClose = await readIds();
    await database.close();
    disk.leaveFree(0);
    database = await open();
    await expect(readIds()).rejects.toMatchObject(diskFullError);
    disk.leaveFree(110 * megabyte);
    await expect.poll(() => readIds().catch(() => null), { interval: 100 }).toEqual(beforeClose);
    await expectStoreSucceeds(7);
  });

  it("is not created, and the error says how much space that takes", async () => {
    const smallDisk = mountDisk(97 * megabyte);
    onTestFinished(smallDisk.unmount);
    await expect(openDatabase({ dataDir: smallDisk.path, onError() {} })).rejects.toMatchObject({
      name: "DiskFull",
      message: expect.stringMatching(/only 9\d MB are free\..* until 160 MB are free\.$/),
    });
  });

  it("does not fill the disk with its log or with outdated rows, and is restarted if it no longer responds", async () => {
    const reasons: string[] = [];
    const hangTimeoutMs = { onFullDisk: 600_000, normal: 600_000 };
    const client = await openPgliteThread({
      folder: join(disk.path, "database"),
      onError: ({ message }) => reasons.push(message),
      hangTimeoutMs,
    });
    onTestFinished(client.close);
    await client.exec(
      `create table things (id int primary key);
       insert into things select generate_series(100, 1100); update things set id = id + 5000`,
    );
    await client.exec(
      "select pg_logical_emit_message(false, 'log', repeat('x', 4000000)) from generate_series(1, 9)",
    );
    // Postgres counts rows immediately, but publishes its statistics only about once per second.
    await client.exec("select pg_stat_force_next_flush()");
    const readStatistics = async () =>
      (
        await client.query(
          `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > 33000000 as "isLogLong",
             (select n_dead_tup > 900 from pg_stat_user_tables where relname = 'things') as "isTableFull"
           from pg_control_checkpoint()`,
        )
      ).rows;
    await expect.poll(readStatistics).toEqual([{ isLogLong: true, isTableFull: true }]);
    await maintain(client);
    await expect.poll(readStatistics).toEqual([{ isLogLong: false, isTableFull: false }]);

    const endless = client.query(
      "select max(n) from (select generate_series(1, 1000000000) as n) as numbers",
    );
    hangTimeoutMs.normal = 500;
    await expect(endless).rejects.toThrow("it did not respond for 0.5 seconds");
    // On a busy machine a quick statement may take as long.
    hangTimeoutMs.normal = 600_000;
    expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    expect(reasons[0]).toContain("it did not respond");
  });
});
