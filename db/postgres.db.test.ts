import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { openTestDatabase } from "../tests/support/database.ts";
import { load, queryRows } from "./backup/dump.ts";
import type { OpenDatabase } from "./database.ts";
import { isDatabaseUnavailable } from "./failures.ts";
import { secrets } from "./schema.ts";

describe("a transaction whose connection Postgres closes", () => {
  let database: OpenDatabase;
  const uncaughtErrors: Error[] = [];
  const onUncaught = (error: Error) => uncaughtErrors.push(error);
  beforeEach(async () => {
    database = await openTestDatabase("postgres");
    process.on("uncaughtException", onUncaught);
  });
  afterEach(async () => {
    process.off("uncaughtException", onUncaught);
    await database.close();
  });

  const expectServerContinues = async () => {
    expect(await database.db.transaction((tx) => tx.execute(sql`select 1`))).toBeDefined();
    expect(uncaughtErrors).toEqual([]);
  };

  it("during a statement fails like any other query, and the server continues", async () => {
    const transaction = database.db.transaction((tx) =>
      tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`),
    );
    await expect(transaction).rejects.toSatisfy(isDatabaseUnavailable);
    await expectServerContinues();
  });

  it("between two statements fails like any other query, and the server continues", async () => {
    const transaction = database.db.transaction(async (tx) => {
      const row = z.object({ pid: z.number() });
      const [session] = await queryRows(tx, sql`select pg_backend_pid() as pid`, row);
      const terminate = "select pg_terminate_backend($1)";
      const findSession = "select 1 from pg_stat_activity where pid = $1";
      await database.executeSql(terminate, [session?.pid]);
      await expect
        .poll(async () => (await database.executeSql(findSession, [session?.pid])).rows)
        .toEqual([]);
    });
    await expect(transaction).rejects.toSatisfy(isDatabaseUnavailable);
    await expectServerContinues();
  });
});

it("rows are replaced while another transaction, which has read a table, waits until it may write", async () => {
  const database = await openTestDatabase("postgres");
  try {
    const { db } = database;
    await db.insert(secrets).values({ name: "before", value: "1" });
    let writing: Promise<unknown> = Promise.resolve();
    await database.withoutWriters(async (locked) => {
      writing = db.transaction(async (tx) => {
        await tx.select().from(secrets);
        await tx.insert(secrets).values({ name: "waiting", value: "1" });
      });
      const findWaiting = () =>
        queryRows(
          db,
          sql`select pid from pg_locks where not granted and relation = 'secrets'::regclass`,
          z.object({ pid: z.number() }),
        );
      await expect.poll(findWaiting).toHaveLength(1);
      const table = { name: "secrets", columns: ["name", "value"], rows: 1, counters: [] };
      const rows = [{ table: "secrets", lines: ['["restored", "2"]'] }];
      await load(locked, [table], Readable.from(rows), () => {});
    });
    await writing;
    const names = (await db.select().from(secrets)).map(({ name }) => name);
    expect(names.toSorted()).toEqual(["restored", "waiting"]);
  } finally {
    await database.close();
  }
});
