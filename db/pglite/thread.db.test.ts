import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createDataFolder } from "../../tests/support/data-folder.ts";
import { queryRows } from "../backup/dump.ts";
import { openDatabase, openSnapshot } from "../client.ts";
import type { OpenDatabase } from "../database.ts";
import { everyTag, sendPurge } from "../purge.ts";
import { openSharedReads, readShared } from "../shared-reads.ts";

let folder: Awaited<ReturnType<typeof createDataFolder>>;
let database: OpenDatabase;
let worker: Worker;
const errors: string[] = [];

beforeAll(async () => {
  folder = await createDataFolder();
  process.once("worker", (started) => {
    worker = started;
  });
  database = await openDatabase({
    dataDir: folder.path,
    onError: ({ message }) => errors.push(message),
  });
  await database.executeSql("create table things (id int primary key, text text, bytes bytea)");
});

afterAll(async () => {
  await database.close();
  await folder.remove();
});

const readText = async (id: number) =>
  (await database.executeSql("select text from things where id = $1", [id])).rows;

describe("the database thread", () => {
  it("does not block the main thread during a query", async () => {
    let isDone = false;
    let turns = 0;
    const query = database
      .executeSql("select count(*) from generate_series(1, 300000) i where i % 3 = 1")
      .finally(() => {
        isDone = true;
      });
    for (; !isDone; turns++) await setImmediate();
    await query;
    expect(turns).toBeGreaterThan(3);
  });

  it("returns values with the same types as PGlite in the main thread", async () => {
    const { rows } = await database.executeSql(
      `select 1 as int, 2::int8 as big, 1.5::float8 as float, true as yes, null as none, 'ä' as text,
       '2026-11-15T12:00:00Z'::timestamptz as instant, '{"a":[1]}'::jsonb as json, array['x','y'] as list,
       '\\x00ff'::bytea as bytes, $1::text as given`,
      ["so"],
    );
    expect(rows).toEqual([
      {
        int: 1,
        big: 2,
        float: 1.5,
        yes: true,
        none: null,
        text: "ä",
        given: "so",
        instant: new Date("2026-11-15T12:00:00Z"),
        json: { a: [1] },
        list: ["x", "y"],
        bytes: new Uint8Array([0, 255]),
      },
    ]);
  });

  it("stores and returns bytes, and does not take away the caller's buffer", async () => {
    const bytes = Buffer.alloc(1024 * 1024, "image");
    await database.executeSql("insert into things (id, bytes) values (1, $1)", [bytes]);
    const { rows } = await database.executeSql("select bytes from things where id = $1", [1]);
    expect(bytes.length).toBe(1024 * 1024);
    expect(rows.map((row) => bytes.equals((row as { bytes: Uint8Array }).bytes))).toEqual([true]);
  });

  it("reports which constraint a statement violates, as Postgres does", async () => {
    const twice = "insert into things (id) values (2), (2)";
    await expect(database.executeSql(twice)).rejects.toMatchObject({
      code: "23505",
      constraint: "things_pkey",
      message: 'duplicate key value violates unique constraint "things_pkey"',
    });
  });

  it("runs no other query inside a transaction, and rolls back a transaction that fails", async () => {
    const seen: unknown[] = [];
    const error = new Error("changed my mind");
    const failing = database.db.transaction(async (tx) => {
      await tx.execute(sql`insert into things (id, text) values (3, 'draft')`);
      seen.push(...(await queryRows(tx, sql`select text from things where id = 3`, z.unknown())));
      throw error;
    });
    const after = readText(3);
    await expect(failing).rejects.toBe(error);
    expect(seen).toEqual([{ text: "draft" }]);
    expect(await after).toEqual([]);
  });

  it("does not report success for a transaction that the database rolled back", async () => {
    const swallowing = database.db.transaction(async (tx) => {
      await tx.execute(sql`insert into things (id) values (4)`);
      await tx.execute(sql`select 1 / 0`).catch(() => {});
    });
    await expect(swallowing).rejects.toThrow("rolled back");
    expect(await readText(4)).toEqual([]);
  });

  it("rolls back a transaction that began and failed within one query", async () => {
    const text = "begin; insert into things (id) values (20); select 1 / 0; commit;";
    const [failed, after] = await Promise.allSettled([database.executeSql(text), readText(20)]);
    expect(failed).toMatchObject({ status: "rejected", reason: { code: "22012" } });
    expect(after).toMatchObject({ status: "fulfilled", value: [] });
  });

  it("opens the database again when its thread ends, with every acknowledged write", async () => {
    const received: string[] = [];
    const restored = Promise.withResolvers<void>();
    const stop = await database.listen({
      onPurge: (tags) => received.push(...tags),
      onLost: () => received.push("lost"),
      onRestored: () => restored.resolve(),
    });
    await database.db.execute(sql`insert into things (id, text) values (5, 'stored')`);
    await sendPurge(database.db, ["page:one"]);
    const sharedReads = openSharedReads(database.db, { now: Date.now, onError() {} });
    const shared = { name: "five", tags: [], load: () => readText(5) };
    const value = await readShared(database.db, shared);
    sharedReads.purge([everyTag]);

    const inTransaction = database.db.transaction(async (tx) => {
      await tx.execute(sql`insert into things (id, text) values (6, 'half')`);
      worker.terminate();
      await once(worker, "exit");
      await tx.execute(sql`insert into things (id, text) values (7, 'late')`);
    });
    const waiting = readText(5);
    const lastValue = readShared(database.db, shared);
    await expect(waiting).rejects.toThrow("The database thread has ended");
    await expect(inTransaction).rejects.toMatchObject({ cause: { name: "DatabaseThreadEnded" } });

    expect(await lastValue).toBe(value);
    expect(await readText(5)).toEqual([{ text: "stored" }]);
    expect(await readText(6)).toEqual([]);
    expect(await readText(7)).toEqual([]);
    await restored.promise;
    await sendPurge(database.db, ["page:two"]);
    await stop();
    expect(received).toEqual(["page:one", "lost", "page:two"]);
    expect(errors).toEqual([expect.stringContaining("The database thread has ended")]);
  });

  it("opens the database again after it had no file descriptor left", async () => {
    const message = 'could not open file "base/5/1": No file descriptors available';
    errors.length = 0;
    await expect(database.executeSql(`do $$ begin raise '${message}'; end $$`)).rejects.toThrow(
      "The database thread has ended",
    );
    expect(await readText(5)).toEqual([{ text: "stored" }]);
    expect(errors).toEqual([expect.stringContaining(message)]);
  });

  it("provides a consistent snapshot to read, and accepts writes meanwhile", async () => {
    await database.executeSql("insert into things (id, text) values (8, 'before'), (9, 'before')");
    const writing = Array.from({ length: 20 }, (_, each) =>
      database.executeSql("insert into things (id) values ($1), ($2)", [100 + each, 200 + each]),
    );
    const { source, remove } = await database.takeSnapshot();
    const snapshot = await openSnapshot(source, () => {});
    await Promise.all(writing);
    await snapshot.db.transaction(async (tx) => {
      const count = sql`select count(*)::int as rows, count(*) filter (where text = 'before')::int as old
      from things where id >= 8`;
      const shape = z.object({ rows: z.number(), old: z.number() });
      const [counts] = await queryRows(tx, count, shape);
      await database.executeSql("update things set text = 'after' where id = 8");
      await database.executeSql("delete from things where id = 9");
      expect(await queryRows(tx, count, shape)).toEqual([counts]);
      expect(counts?.old).toBe(2);
      // Either both rows of a statement or none.
      expect((counts?.rows ?? 1) % 2).toBe(0);
    });
    await snapshot.close();
    await remove();
    expect(await readText(8)).toEqual([{ text: "after" }]);
    expect((await readdir(folder.path)).filter((name) => name.startsWith("database"))).toEqual([
      "database",
    ]);
  });

  it("reports why it cannot be opened", async () => {
    const opening = openDatabase({ dataDir: `${folder.path}/database/PG_VERSION`, onError() {} });
    await expect(opening).rejects.toThrow("ENOTDIR");
  });
});
