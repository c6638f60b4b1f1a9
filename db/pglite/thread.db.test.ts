import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { dataFolder } from "../../tests/support/data-folder.ts";
import { queryRows } from "../backup/dump.ts";
import { openDatabase, openSnapshot } from "../client.ts";
import type { OpenDatabase } from "../database.ts";
import { purge } from "../purge.ts";

let folder: Awaited<ReturnType<typeof dataFolder>>;
let database: OpenDatabase;
let worker: Worker;
const errors: string[] = [];

beforeAll(async () => {
  folder = await dataFolder();
  process.on("worker", (started) => {
    worker = started;
  });
  database = await openDatabase({
    dataDir: folder.path,
    onError: ({ message }) => errors.push(message),
  });
  await database.executeSql("create table things (id int primary key, words text, bytes bytea)");
});

afterAll(async () => {
  await database.close();
  await folder.remove();
});

const words = async (id: number) =>
  (await database.executeSql("select words from things where id = $1", [id])).rows;

it("leaves this thread free while it works on a query", async () => {
  let isDone = false;
  let turns = 0;
  const query = database
    .executeSql("select count(*) from generate_series(1, 300000) i where i % 3 = 1")
    .finally(() => {
      isDone = true;
    });
  for (; !isDone; turns++) await setImmediate();
  await query;
  expect(turns).toBeGreaterThan(10);
});

it("gives values the types that PGlite gives them in this thread", async () => {
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

it("stores bytes and gives them back, and leaves the caller its own", async () => {
  const bytes = Buffer.alloc(1024 * 1024, "image");
  await database.executeSql("insert into things (id, bytes) values (1, $1)", [bytes]);
  const { rows } = await database.executeSql("select bytes from things where id = $1", [1]);
  expect(bytes.length).toBe(1024 * 1024);
  expect(rows.map((row) => bytes.equals((row as { bytes: Uint8Array }).bytes))).toEqual([true]);
});

it("says which rule of a table a statement breaks, as Postgres does", async () => {
  const twice = "insert into things (id) values (2), (2)";
  await expect(database.executeSql(twice)).rejects.toMatchObject({
    code: "23505",
    constraint: "things_pkey",
    message: 'duplicate key value violates unique constraint "things_pkey"',
  });
});

it("lets no other query into a transaction, and takes back one that fails", async () => {
  const seen: unknown[] = [];
  const fault = new Error("thought better of it");
  const failing = database.db.transaction(async (tx) => {
    await tx.execute(sql`insert into things (id, words) values (3, 'draft')`);
    seen.push(...(await queryRows(tx, sql`select words from things where id = 3`, z.unknown())));
    throw fault;
  });
  const after = words(3);
  await expect(failing).rejects.toBe(fault);
  expect(seen).toEqual([{ words: "draft" }]);
  expect(await after).toEqual([]);
});

it("does not report success for a transaction that the database rolled back", async () => {
  const swallowing = database.db.transaction(async (tx) => {
    await tx.execute(sql`insert into things (id) values (4)`);
    await tx.execute(sql`select 1 / 0`).catch(() => {});
  });
  await expect(swallowing).rejects.toThrow("rolled back");
  expect(await words(4)).toEqual([]);
});

it("is not stuck in a transaction that began and failed within one text", async () => {
  const text = "begin; insert into things (id) values (20); select 1 / 0; commit;";
  const [failed, after] = await Promise.allSettled([database.executeSql(text), words(20)]);
  expect(failed).toMatchObject({ status: "rejected", reason: { code: "22012" } });
  expect(after).toMatchObject({ status: "fulfilled", value: [] });
});

it("opens the database again when its thread ends, with every acknowledged write", async () => {
  const heard: string[] = [];
  const restored = Promise.withResolvers<void>();
  const stop = await database.listen({
    purged: (tags) => heard.push(...tags),
    lost: () => heard.push("lost"),
    restored: () => restored.resolve(),
  });
  await database.db.execute(sql`insert into things (id, words) values (5, 'kept')`);
  await purge(database.db, ["page:one"]);

  const inTransaction = database.db.transaction(async (tx) => {
    await tx.execute(sql`insert into things (id, words) values (6, 'half')`);
    worker.terminate();
    await once(worker, "exit");
    await tx.execute(sql`insert into things (id, words) values (7, 'late')`);
  });
  const waiting = words(5);
  await expect(waiting).rejects.toThrow("The database's thread has ended");
  await expect(inTransaction).rejects.toMatchObject({ cause: { name: "DatabaseThreadEnded" } });

  expect(await words(5)).toEqual([{ words: "kept" }]);
  expect(await words(6)).toEqual([]);
  expect(await words(7)).toEqual([]);
  await restored.promise;
  await purge(database.db, ["page:two"]);
  await stop();
  expect(heard).toEqual(["page:one", "lost", "page:two"]);
  expect(errors).toEqual([expect.stringContaining("The database's thread has ended")]);
});

it("gives a copy of one moment to read, and goes on meanwhile", async () => {
  await database.executeSql("insert into things (id, words) values (8, 'before'), (9, 'before')");
  const writing = Array.from({ length: 20 }, (_, each) =>
    database.executeSql("insert into things (id) values ($1), ($2)", [100 + each, 200 + each]),
  );
  const { source, remove } = await database.takeSnapshot();
  const snapshot = await openSnapshot(source, () => {});
  await Promise.all(writing);
  await snapshot.db.transaction(async (tx) => {
    const count = sql`select count(*)::int as rows, count(*) filter (where words = 'before')::int as old
      from things where id >= 8`;
    const shape = z.object({ rows: z.number(), old: z.number() });
    const [first] = await queryRows(tx, count, shape);
    await database.executeSql("update things set words = 'after' where id = 8");
    await database.executeSql("delete from things where id = 9");
    expect(await queryRows(tx, count, shape)).toEqual([first]);
    expect(first?.old).toBe(2);
    // Both rows of a statement or none.
    expect((first?.rows ?? 1) % 2).toBe(0);
  });
  await snapshot.close();
  await remove();
  expect(await words(8)).toEqual([{ words: "after" }]);
  expect((await readdir(folder.path)).filter((name) => name.startsWith("database"))).toEqual([
    "database",
  ]);
});

it("says why it cannot be opened", async () => {
  const opening = openDatabase({ dataDir: `${folder.path}/database/PG_VERSION`, onError() {} });
  await expect(opening).rejects.toThrow("ENOTDIR");
});
