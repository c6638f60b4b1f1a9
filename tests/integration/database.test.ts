import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { subscribers } from "../../app/features/newsletter/schema.server.ts";
import { createSafeFetch } from "../../app/lib/external/safe-fetch.server.ts";
import { createLog, type Log } from "../../app/lib/log.ts";
import type { Services } from "../../app/platform/services.ts";
import { openDatabase } from "../../db/client.ts";
import type { Database, OpenDatabase } from "../../db/database.ts";
import { createDatabase as createPgliteFiles } from "../../db/pglite/empty-database.ts";
import { createPglite } from "../../db/pglite/open.ts";
import { features } from "../../server/features.ts";
import { startJobs } from "../../server/process/jobs.ts";
import { toDatabaseError } from "../../server/process/known-errors.ts";
import { deleteExpired } from "../../server/retention.ts";
import { databaseKinds, openTestDatabase } from "../support/database.ts";
import { createDatabase } from "../support/postgres.ts";
import { temporaryFolder } from "../support/server.ts";
import { wholeCity } from "../support/whole-city.ts";
import { runInThisThread } from "../support/worker-pool.ts";

/** The jobs of these tests do not use site files. */
const site = {
  ...wholeCity,
  read: () => expect.unreachable(),
  readAll: () => expect.unreachable(),
};
const offlineFetch = createSafeFetch();
const unreachable = () => expect.unreachable();
const mail = {
  kind: "files" as const,
  wake: unreachable,
  sendDue: unreachable,
  deleteOld: unreachable,
  deleteFiles: unreachable,
};
const createServices = (db: Database, log: Log): Services => ({
  site,
  db,
  clock: () => new Date(),
  log,
  fetch: offlineFetch,
  runInWorker: runInThisThread,
  tally: { count() {}, flush: async () => {} },
  leadsToPage: async () => false,
  mail,
});

/** How often the queue looks for due jobs. pg-boss allows no shorter time. */
const pollingSeconds = 0.5;

const insertDueJob = ({ executeSql }: Pick<OpenDatabase, "executeSql">, name: string) =>
  executeSql(
    "insert into pgboss.job (id, name, data) values (gen_random_uuid(), $1, '{}'::jsonb)",
    [name],
  );

describe("four nodes that start at the same time", () => {
  it("migrate one Postgres database without a conflict", async () => {
    const databaseUrl = await createDatabase(inject("postgresUrl"));
    const nodes = await Promise.all(
      Array.from({ length: 4 }, () =>
        openDatabase({ dataDir: "", databaseUrl, onError: console.error }),
      ),
    );
    onTestFinished(async () => {
      for (const node of nodes) await node.close();
    });
    for (const node of nodes) expect(await node.db.select().from(subscribers)).toEqual([]);
  });
});

describe("a database of an older version", () => {
  /** What the first migration of the first version created, and one row. */
  const olderTables = `create schema drizzle;
    create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('older', 1762900000000);
    create table newsletter_subscribers (email text primary key, state text not null);
    insert into newsletter_subscribers values ('ann@example.com', 'confirmed')`;
  const readState = `select (select json_agg(s) from newsletter_subscribers s) as subscribers,
      (select json_agg(m) from drizzle.__drizzle_migrations m) as migrations,
      (select json_agg(c.relname order by c.relname) from pg_class c
        where c.relnamespace = 'public'::regnamespace) as relations`;
  const readRefusal = async (options: { dataDir: string; databaseUrl?: string }) => {
    const error = await openDatabase({ ...options, onError() {} }).then(
      (opened) => opened.close().then(() => null),
      (thrown: unknown) => thrown,
    );
    return toDatabaseError(options, error)?.message;
  };

  it("is refused with one sentence and not changed if it is a data folder", async () => {
    const { path, remove } = await temporaryFolder();
    onTestFinished(remove);
    const folder = join(path, "database");
    await createPgliteFiles(folder);
    const use = async <Result>(work: (client: PGlite) => Promise<Result>): Promise<Result> => {
      const client = await createPglite({ dataDir: folder });
      return work(client).finally(() => client.close());
    };
    const before = await use(async (client) => {
      await client.exec(olderTables);
      return client.query(readState);
    });
    expect(await readRefusal({ dataDir: path })).toBe(
      `The database in ${folder} was made by an older version of Harborline, which this version cannot upgrade; it was not changed, so use that version for it, or set DATA_DIR to another folder.`,
    );
    expect(await use((client) => client.query(readState))).toEqual(before);
  });

  it("is refused with one sentence and not changed if it is on Postgres", async () => {
    const databaseUrl = await createDatabase(inject("postgresUrl"));
    const client = new pg.Client(databaseUrl);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(olderTables);
    const before = await client.query(readState);
    const { host, pathname } = new URL(databaseUrl);
    expect(await readRefusal({ dataDir: "", databaseUrl })).toBe(
      `The database ${host}${pathname} was made by an older version of Harborline, which this version cannot upgrade; it was not changed, so use that version for it, or set DATABASE_URL to another database.`,
    );
    expect((await client.query(readState)).rows).toEqual(before.rows);
  });
});

describe.each(databaseKinds)("on %s", (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());

  it("counts and 64-bit integers are returned as numbers", async () => {
    const { rows } = await database.executeSql(
      "select count(*) as n, 9007199254740991::int8 as big from newsletter_subscribers",
    );
    expect(rows).toEqual([{ n: 0, big: 9_007_199_254_740_991 }]);
  });

  it("jobs run when they are due, the log says which one failed, and the queue stops cleanly", async () => {
    const lines: string[] = [];
    const log = createLog({ write: (line) => lines.push(line) });
    const services = createServices(database.db, log);
    const greeted = Promise.withResolvers<string>();
    const greet = {
      name: "greet",
      cron: "* * * * *",
      run: async () => greeted.resolve("hello"),
    };
    const unlucky = {
      name: "unlucky",
      cron: "* * * * *",
      run: () => Promise.reject(new Error("no luck")),
    };
    const stop = await startJobs(database, [greet, unlucky], services, pollingSeconds);
    // The scheduler inserts due jobs once per minute. The test does not wait for it.
    for (const { name } of [greet, unlucky]) await insertDueJob(database, name);
    expect(await greeted.promise).toBe("hello");
    await expect.poll(() => lines.join("")).toContain('"event":"job.failed","job":"unlucky"');
    await stop();
    expect(lines.filter((line) => !line.includes('"job":"unlucky"'))).toEqual([]);
    // The next start updates the schedule only if it has changed.
    const readSchedules = async () =>
      (
        await database.executeSql(
          "select cron, updated_on from pgboss.schedule where name = 'greet'",
        )
      ).rows;
    const schedulesBefore = await readSchedules();
    await (await startJobs(database, [greet], services, pollingSeconds))();
    expect(await readSchedules()).toEqual(schedulesBefore);
    await (
      await startJobs(database, [{ ...greet, cron: "0 5 * * *" }], services, pollingSeconds)
    )();
    expect(await readSchedules()).toEqual([expect.objectContaining({ cron: "0 5 * * *" })]);
  });
});

describe("data that the privacy page promises to delete", () => {
  it("is deleted even if other data cannot be deleted, and the log names the failures", async () => {
    const database = await openTestDatabase("postgres");
    onTestFinished(database.close);
    const lines: string[] = [];
    const log = createLog({ write: (line) => lines.push(line) });
    const clock = () => new Date("2026-11-15T12:00:00Z");
    const oldSubscriber = {
      email: "old@example.com",
      state: "pending" as const,
      createdAt: new Date("2026-01-01"),
    };
    await database.db.insert(subscribers).values(oldSubscriber);
    await database.executeSql("drop table contact_messages cascade");
    const failToDelete = () => Promise.reject(new Error("the outbox is locked"));
    const deletion = deleteExpired(features, {
      site: { ...site, read: () => ({ timeZone: "America/New_York" }) as never },
      db: database.db,
      clock,
      log,
      fetch: offlineFetch,
      runInWorker: runInThisThread,
      tally: { count() {}, flush: async () => {} },
      leadsToPage: async () => false,
      mail: { ...mail, deleteOld: failToDelete },
    });
    await expect(deletion).rejects.toThrow(
      "Could not delete expired data: messages, desk networks, mails.",
    );
    expect(await database.db.select().from(subscribers)).toEqual([]);
    expect(lines.filter((line) => line.includes("retention.failed"))).toEqual([
      expect.stringContaining("contact_messages"),
      expect.stringContaining("contact_messages"),
      expect.stringContaining("the outbox is locked"),
    ]);
  });
});

describe("nodes on one Postgres", () => {
  it("run each job once", async () => {
    const databaseUrl = await createDatabase(inject("postgresUrl"), inject("postgresTemplate"));
    const log = createLog({ write: () => {} });
    const runs: number[] = [];
    const nodes = await Promise.all(
      [1, 2, 3].map(async (node) => {
        const database = await openDatabase({ dataDir: "", databaseUrl, onError: console.error });
        const job = { name: "count", cron: "0 0 29 2 *", run: async () => void runs.push(node) };
        const services = createServices(database.db, log);
        return { database, stop: await startJobs(database, [job], services, pollingSeconds) };
      }),
    );
    onTestFinished(async () => {
      for (const { stop, database } of nodes) {
        await stop();
        await database.close();
      }
    });
    const { executeSql } = nodes[0]?.database ?? expect.unreachable();
    const readStates = async () =>
      (await executeSql("select state from pgboss.job where name = 'count'")).rows;
    for (let due = 1; due <= 3; due += 1) {
      await insertDueJob({ executeSql }, "count");
      await expect.poll(readStates).toEqual(Array(due).fill({ state: "completed" }));
    }
    expect(runs.length).toBe(3);
    const { rows } = await executeSql("select name from pgboss.schedule where name = 'count'");
    expect(rows).toHaveLength(1);
  });
});
