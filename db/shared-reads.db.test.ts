import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openTestDatabase } from "../tests/support/database.ts";
import type { OpenDatabase } from "./database.ts";
import { everyTag } from "./purge.ts";
import { findFreshMs, openSharedReads, readShared, type SharedRead } from "./shared-reads.ts";

let database: OpenDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

/** Counts its loads, and takes as long as the test wants. */
function createRead(tags: string[], name = "example") {
  const waiting: (() => void)[] = [];
  let loads = 0;
  let isHeld = false;
  let isBroken = false;
  const read: SharedRead<{ load: number }> = {
    name,
    tags,
    async load(db) {
      loads += 1;
      const load = loads;
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
      await db.execute(isBroken ? sql`select none from nothing` : sql`select 1`);
      return { load };
    },
  };
  const hold = () => {
    isHeld = true;
  };
  const release = () => {
    isHeld = false;
    for (const resolve of waiting.splice(0)) resolve();
  };
  const fail = () => {
    isBroken = true;
  };
  return { read, hold, release, fail, countLoads: () => loads };
}

const keep = (errors: string[] = []) => {
  let now = 0;
  const cache = openSharedReads(database.db, {
    now: () => now,
    onError: (name) => errors.push(name),
  });
  return { ...cache, advance: (ms: number) => (now += ms) };
};

it("data is loaded once for all who wait, and again only after a purge of its tag", async () => {
  const cache = keep();
  const { read, countLoads } = createRead(["stories", "source:a"]);
  const [one, other] = await Promise.all([
    readShared(database.db, read),
    readShared(database.db, read),
  ]);
  expect(one).toBe(other);
  cache.purge(["events", "source:b"]);
  expect(await readShared(database.db, read)).toBe(one);
  cache.purge(["source:a"]);
  expect(await readShared(database.db, read)).toEqual({ load: 2 });
  cache.purge([everyTag]);
  expect(await readShared(database.db, read)).toEqual({ load: 3 });
  expect(countLoads()).toBe(3);
});

it("nothing is data too", async () => {
  keep();
  const { read, countLoads } = createRead([]);
  const nothing = { ...read, load: async (db: OpenDatabase["db"]) => void (await read.load(db)) };
  await readShared(database.db, nothing);
  await readShared(database.db, nothing);
  expect(countLoads()).toBe(1);
});

it("a load that started before a purge is neither kept nor shared afterwards", async () => {
  const cache = keep();
  const { read, hold, release } = createRead(["stories"]);
  hold();
  const early = readShared(database.db, read);
  cache.purge(["stories"]);
  const late = readShared(database.db, read);
  release();
  expect([await early, await late]).toEqual([{ load: 1 }, { load: 2 }]);
  expect(await readShared(database.db, read)).toEqual({ load: 2 });
});

it("while the database fails, the last value stays in use, and its pages are rendered again soon", async () => {
  const errors: string[] = [];
  const cache = keep(errors);
  const { read, fail, hold, release, countLoads } = createRead(["stories"]);
  const never = createRead(["events"], "never read");
  const value = await readShared(database.db, read);
  expect(findFreshMs(database.db, new Set(["stories"]))).toBe(Number.POSITIVE_INFINITY);
  fail();
  never.fail();
  cache.purge(["stories"]);
  expect(await readShared(database.db, read)).toBe(value);
  expect(await readShared(database.db, read)).toBe(value);
  expect([countLoads(), errors]).toEqual([2, ["example"]]);
  expect(findFreshMs(database.db, new Set(["stories"]))).toBeLessThan(60_000);
  expect(findFreshMs(database.db, new Set(["blog"]))).toBe(Number.POSITIVE_INFINITY);
  cache.advance(60_000);
  // Readers do not wait for the next attempt.
  hold();
  expect(await readShared(database.db, read)).toBe(value);
  expect([countLoads(), errors]).toEqual([3, ["example"]]);
  release();
  await expect(readShared(database.db, never.read)).rejects.toThrow();
});

it("without the connection for purges, nothing is kept", async () => {
  const cache = keep();
  const { read } = createRead(["stories"]);
  cache.setReceivesPurges(false);
  await readShared(database.db, read);
  expect(await readShared(database.db, read)).toEqual({ load: 2 });
  cache.setReceivesPurges(true);
  const value = await readShared(database.db, read);
  expect(await readShared(database.db, read)).toBe(value);
});

it("an old value is renewed in the background", async () => {
  const cache = keep();
  const { read, hold, release, countLoads } = createRead(["stories"]);
  const value = await readShared(database.db, read);
  cache.advance(3_600_000);
  hold();
  expect(await readShared(database.db, read)).toBe(value);
  expect(await readShared(database.db, read)).toBe(value);
  release();
  await expect.poll(() => readShared(database.db, read)).toEqual({ load: 2 });
  expect(countLoads()).toBe(2);
});

it("elsewhere than in a server, data is loaded each time", async () => {
  const { read } = createRead(["stories"]);
  await readShared(database.db, read);
  expect(await readShared(database.db, read)).toEqual({ load: 2 });
});
