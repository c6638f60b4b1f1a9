import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { describe, expect, inject, it } from "vitest";
import { subscribers } from "../../app/features/newsletter/schema.server.ts";
import { createSafeFetch } from "../../app/lib/external/safe-fetch.server.ts";
import { createLog, type Log } from "../../app/lib/log.ts";
import type { Services } from "../../app/platform/services.ts";
import { openDatabase } from "../../db/client.ts";
import type { Database } from "../../db/database.ts";
import { features } from "../../server/features.ts";
import { startJobs } from "../../server/process/jobs.ts";
import { deleteExpired } from "../../server/retention.ts";
import { databaseKinds, openTestDatabase } from "../support/database.ts";
import { createDatabase } from "../support/postgres.ts";
import { startServer, temporaryFolder } from "../support/server.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { runInThisThread } from "../support/worker-pool.ts";

/** The jobs of these tests do not use site files. */
const site = { read: () => expect.unreachable(), readAll: () => expect.unreachable() };
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
  mail,
});

describe("four nodes that start at the same time", () => {
  it("migrate one Postgres database without a conflict", async () => {
    const databaseUrl = await createDatabase(inject("postgresUrl"));
    const nodes = await Promise.all(
      Array.from({ length: 4 }, () =>
        openDatabase({ dataDir: "", databaseUrl, onError: console.error }),
      ),
    );
    for (const node of nodes) {
      expect(await node.db.select().from(subscribers)).toEqual([]);
      await node.close();
    }
  });
});

describe.each(databaseKinds)("on %s", (kind) => {
  it("counts and 64-bit integers are returned as numbers", async () => {
    const database = await openTestDatabase(kind);
    const { rows } = await database.executeSql(
      "select count(*) as n, 9007199254740991::int8 as big from newsletter_subscribers",
    );
    expect(rows).toEqual([{ n: 0, big: 9_007_199_254_740_991 }]);
    await database.close();
  });

  it("a job runs when it is due, and the queue stops cleanly", async () => {
    const database = await openTestDatabase(kind);
    const lines: string[] = [];
    const log = createLog({ write: (line) => lines.push(line) });
    const services = createServices(database.db, log);
    let onRun: (value: string) => void = () => {};
    const firstRun = new Promise<string>((resolve) => {
      onRun = resolve;
    });
    const job = { name: "greet", cron: "* * * * *", run: async () => onRun("hello") };
    const stop = await startJobs(database, [job], services, 0.5);
    // The scheduler inserts due jobs once per minute. The test does not wait for it.
    await database.db.execute(
      sql`insert into pgboss.job (id, name, data) values (gen_random_uuid(), 'greet', '{}'::jsonb)`,
    );
    expect(await firstRun).toBe("hello");
    await stop();
    // The next start updates the schedule only if it has changed.
    const readSchedules = async () =>
      (
        await database.executeSql(
          "select cron, updated_on from pgboss.schedule where name = 'greet'",
        )
      ).rows;
    const schedulesBefore = await readSchedules();
    await (await startJobs(database, [job], services, 0.5))();
    expect(await readSchedules()).toEqual(schedulesBefore);
    await (await startJobs(database, [{ ...job, cron: "0 5 * * *" }], services, 0.5))();
    expect(await readSchedules()).toEqual([expect.objectContaining({ cron: "0 5 * * *" })]);
    await database.close();
    expect(lines).toEqual([]);
  });
});

describe.each(databaseKinds)("a job that fails on %s", (kind) => {
  it("is logged", async () => {
    const database = await openTestDatabase(kind);
    const lines: string[] = [];
    const log = createLog({ write: (line) => lines.push(line) });
    const services = createServices(database.db, log);
    const run = () => Promise.reject(new Error("no luck"));
    const stop = await startJobs(
      database,
      [{ name: "unlucky", cron: "* * * * *", run }],
      services,
      0.5,
    );
    await database.db.execute(
      sql`insert into pgboss.job (id, name, data) values (gen_random_uuid(), 'unlucky', '{}'::jsonb)`,
    );
    await expect
      .poll(() => lines.join(""), { timeout: 10_000 })
      .toContain('"event":"job.failed","job":"unlucky"');
    await stop();
    await database.close();
  });
});

describe("data that the privacy page promises to delete", () => {
  it("is deleted even if other data cannot be deleted, and the log names the failures", async () => {
    const database = await openTestDatabase("pglite");
    const lines: string[] = [];
    const log = createLog({ write: (line) => lines.push(line) });
    const clock = () => new Date("2026-11-15T12:00:00Z");
    const oldSubscriber = {
      email: "old@example.com",
      state: "pending" as const,
      createdAt: new Date("2026-01-01"),
    };
    await database.db.insert(subscribers).values(oldSubscriber);
    await database.executeSql("drop table contact_messages");
    const failToDelete = () => Promise.reject(new Error("the outbox is locked"));
    const deletion = deleteExpired(features, {
      site: { ...site, read: () => ({ timeZone: "America/New_York" }) as never },
      db: database.db,
      clock,
      log,
      fetch: offlineFetch,
      runInWorker: runInThisThread,
      mail: { ...mail, deleteOld: failToDelete },
    });
    await expect(deletion).rejects.toThrow("Could not delete expired data: messages, mails.");
    expect(await database.db.select().from(subscribers)).toEqual([]);
    expect(lines.filter((line) => line.includes("retention.failed"))).toEqual([
      expect.stringContaining("contact_messages"),
      expect.stringContaining("the outbox is locked"),
    ]);
    await database.close();
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
        const job = { name: "count", cron: "0 0 1 1 *", run: async () => void runs.push(node) };
        const services = createServices(database.db, log);
        return { database, stop: await startJobs(database, [job], services, 0.5) };
      }),
    );
    const { executeSql } = nodes[0]?.database ?? expect.unreachable();
    const readStates = async () =>
      (await executeSql("select state from pgboss.job where name = 'count'")).rows;
    for (let due = 1; due <= 5; due += 1) {
      await executeSql(
        "insert into pgboss.job (id, name, data) values (gen_random_uuid(), 'count', '{}'::jsonb)",
      );
      await expect
        .poll(readStates, { timeout: 10_000 })
        .toEqual(Array(due).fill({ state: "completed" }));
    }
    expect(runs.length).toBe(5);
    const { rows } = await executeSql("select name from pgboss.schedule where name = 'count'");
    expect(rows).toHaveLength(1);
    for (const { stop, database } of nodes) {
      await stop();
      await database.close();
    }
  });
});

describe("the server on Postgres", () => {
  it("serves and stores data that other nodes can read, and gives up on a database that does not respond", async () => {
    const data = await temporaryFolder();
    const databaseUrl = await createDatabase(inject("postgresUrl"));
    const proxy = await startTcpProxy(databaseUrl);
    const proxyUrl = new URL(databaseUrl);
    proxyUrl.port = new URL(proxy.url).port;
    const server = await startServer({ DATA_DIR: data.path, DATABASE_URL: proxyUrl.href });
    const formPage = await (await fetch(`${server.url}/contact/form`)).text();
    const token = /name="token" value="([^"]+)"/.exec(formPage)?.[1] ?? "";
    const response = await fetch(`${server.url}/newsletter`, {
      method: "POST",
      body: new URLSearchParams({ email: "pg@example.com" }),
    });
    expect(response.status).toBe(200);

    const otherDatabase = await openDatabase({ dataDir: "", databaseUrl, onError: console.error });
    expect(await otherDatabase.db.select({ email: subscribers.email }).from(subscribers)).toEqual([
      { email: "pg@example.com" },
    ]);
    await otherDatabase.close();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);

    proxy.freeze();
    const respondedPaths: string[] = [];
    const request = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(server.url + path, {
        ...init,
        signal: AbortSignal.timeout(20_000),
      });
      respondedPaths.push(path);
      return { status: response.status, text: await response.text() };
    };
    const subscribe = (email: string) =>
      request("/newsletter", { method: "POST", body: new URLSearchParams({ email }) });
    // There are more requests than connections, so that a connection that is not released would be
    // missing below.
    const forms = Array.from({ length: 12 }, (_, index) => subscribe(`silent${index}@example.com`));
    const readinessRequests = [request("/readyz"), request("/readyz")];
    const sendMessage = () =>
      request("/contact/form", {
        method: "POST",
        body: new URLSearchParams({ token, category: "tip", message: "The pier is dark." }),
      });
    // The server refuses a form that is sent within two seconds, because a person needs longer.
    const sendMessageSlowly = async () => {
      let response = await sendMessage();
      while (response.status === 422) {
        await pause(250);
        response = await sendMessage();
      }
      return response;
    };
    const [message, search, status, section, story, ...refused] = await Promise.all([
      sendMessageSlowly(),
      request("/search?q=harbor"),
      request("/status"),
      request("/local"),
      request("/news/arabbers"),
      ...forms,
    ]);
    expect(story?.status).toBe(200);
    for (const page of [search, status, section])
      expect(page).toMatchObject({
        status: 503,
        text: expect.stringContaining("is not responding right now"),
      });
    expect((await Promise.all(readinessRequests)).map(({ status }) => status)).toEqual([503, 503]);
    const slowPaths = respondedPaths.filter(
      (path) => path !== "/contact/form" && path !== "/news/arabbers",
    );
    expect(slowPaths.slice(0, 2)).toEqual(["/readyz", "/readyz"]);
    expect(search?.text).toContain("<footer");
    expect(message).toMatchObject({
      status: 503,
      text: expect.stringContaining("Nothing you typed is lost"),
    });
    expect(message?.text).toContain("The pier is dark.");
    for (const [index, form] of refused.entries()) {
      expect(form).toMatchObject({
        status: 503,
        text: expect.stringContaining("Nothing you typed is lost"),
      });
      expect(form.text).toContain(`silent${index}@example.com`);
    }

    proxy.resume();
    await expect.poll(async () => (await request("/readyz")).status, { timeout: 20_000 }).toBe(200);
    expect((await subscribe("later@example.com")).status).toBe(200);
    expect(await server.stop()).toBe(0);
    await data.remove();
  });
});
