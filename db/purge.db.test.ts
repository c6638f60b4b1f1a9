import { sql } from "drizzle-orm";
import pg from "pg";
import { afterEach, describe, expect, inject, it } from "vitest";
import { databaseKinds, openTestDatabase } from "../tests/support/database.ts";
import { createDatabase } from "../tests/support/postgres.ts";
import { openDatabase } from "./client.ts";
import { sendPurge } from "./purge.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close();
});

function createListener() {
  const received: string[] = [];
  return {
    received,
    onPurge: (tags: string[]) => received.push(...tags),
    onLost: () => received.push("(lost)"),
    onRestored: () => received.push("(restored)"),
  };
}

describe.each(databaseKinds)("a purge on %s", (kind) => {
  it("is sent when its transaction commits, and never if it is rolled back", async () => {
    const database = await openTestDatabase(kind);
    cleanups.push(() => database.close());
    const listener = createListener();
    cleanups.push(await database.listen(listener));

    const rolledBack = database.db.transaction(async (tx) => {
      await sendPurge(tx, ["never"]);
      throw new Error("no");
    });
    await expect(rolledBack).rejects.toThrow("no");
    await database.db.transaction(async (tx) => {
      await sendPurge(tx, ["section:local", "page:/news"]);
      expect(listener.received).toEqual([]);
    });
    await expect.poll(() => listener.received).toEqual(["section:local", "page:/news"]);
  });

  it("names each of many tags once, although the length of a notification is limited", async () => {
    const database = await openTestDatabase(kind);
    cleanups.push(() => database.close());
    const listener = createListener();
    cleanups.push(await database.listen(listener));
    const tags = Array.from({ length: 1_000 }, (_, index) => `event:${index}-with-a-long-name`);
    await sendPurge(database.db, [...tags, "event:0-with-a-long-name"]);
    await expect.poll(() => listener.received).toEqual(tags);
  });
});

describe("nodes on one Postgres", () => {
  it("all receive the purges of one node, even after their connections were closed", async () => {
    const databaseUrl = await createDatabase(inject("postgresUrl"), inject("postgresTemplate"));
    const openNode = async () => {
      const node = await openDatabase({ dataDir: "", databaseUrl, onError: () => {} });
      cleanups.push(() => node.close());
      const listener = createListener();
      cleanups.push(await node.listen(listener));
      return { ...node, listener };
    };
    const [one, other] = [await openNode(), await openNode()];
    await sendPurge(one.db, ["first"]);
    for (const { listener } of [one, other])
      await expect.poll(() => listener.received).toEqual(["first"]);

    const operator = new pg.Client({ connectionString: databaseUrl });
    await operator.connect();
    await operator.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await operator.end();
    for (const { listener } of [one, other])
      await expect.poll(() => listener.received).toEqual(["first", "(lost)", "(restored)"]);
    await other.db.execute(sql`select 1`).catch(() => {});
    await sendPurge(other.db, ["second"]);
    for (const { listener } of [one, other])
      await expect.poll(() => listener.received.at(-1)).toBe("second");
  });
});
