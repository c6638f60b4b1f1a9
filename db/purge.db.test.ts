import { sql } from "drizzle-orm";
import pg from "pg";
import { afterEach, describe, expect, inject, it } from "vitest";
import { databaseKinds, testDatabase } from "../tests/support/database.ts";
import { createDatabase } from "../tests/support/postgres.ts";
import { openDatabase } from "./client.ts";
import { purge, toNotices } from "./purge.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function listener() {
  const heard: string[] = [];
  return {
    heard,
    purged: (tags: string[]) => heard.push(...tags),
    lost: () => heard.push("(lost)"),
    restored: () => heard.push("(restored)"),
  };
}

describe.each(databaseKinds)("a change on %s", (kind) => {
  it("is told when it is there to be read, and not at all when it is taken back", async () => {
    const database = await testDatabase(kind);
    closing.push(() => database.close());
    const ears = listener();
    closing.push(await database.listen(ears));

    const takenBack = database.db.transaction(async (tx) => {
      await purge(tx, ["never"]);
      throw new Error("no");
    });
    await expect(takenBack).rejects.toThrow("no");
    await database.db.transaction(async (tx) => {
      await purge(tx, ["section:local", "page:/news"]);
      expect(ears.heard).toEqual([]);
    });
    await expect.poll(() => ears.heard).toEqual(["section:local", "page:/news"]);
  });
});

describe("nodes on one Postgres", () => {
  it("all hear what one of them has changed, also after their connections were cut", async () => {
    const databaseUrl = await createDatabase(inject("postgresUrl"), inject("postgresTemplate"));
    const open = async () => {
      const node = await openDatabase({ dataDir: "", databaseUrl, onError: () => {} });
      closing.push(() => node.close());
      const ears = listener();
      closing.push(await node.listen(ears));
      return { ...node, ears };
    };
    const [one, other] = [await open(), await open()];
    await purge(one.db, ["first"]);
    for (const { ears } of [one, other]) await expect.poll(() => ears.heard).toEqual(["first"]);

    const operator = new pg.Client({ connectionString: databaseUrl });
    await operator.connect();
    await operator.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await operator.end();
    for (const { ears } of [one, other])
      await expect.poll(() => ears.heard).toEqual(["first", "(lost)", "(restored)"]);
    await other.db.execute(sql`select 1`).catch(() => {});
    await purge(other.db, ["second"]);
    for (const { ears } of [one, other]) await expect.poll(() => ears.heard.at(-1)).toBe("second");
  });
});

describe("many tags", () => {
  it("go out in as many notices as Postgres needs, none cut in two", () => {
    const tags = Array.from({ length: 1_000 }, (_, index) => `event:${index}-with-a-long-name`);
    const sent = toNotices([...tags, "event:0-with-a-long-name"]);
    expect(sent.length).toBeGreaterThan(2);
    for (const notice of sent) expect(notice.length).toBeLessThan(8_000);
    expect(sent.join(" ").split(" ")).toEqual(tags);
  });
});
