import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/client.ts";
import { databaseKinds, testDatabase } from "../../../tests/support/database.ts";
import { tallies } from "./schema.server.ts";
import { forgetOldTallies, keysPerDay, overflowKey, tally } from "./tally.server.ts";

const zone = "America/New_York";
const at = (instant: string) => () => new Date(instant);
const now = at("2026-11-15T12:00:00Z");

describe.each(databaseKinds)("counts on %s", (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await testDatabase(kind);
  });
  beforeEach(() => database.db.delete(tallies));
  afterAll(() => database.close());
  const rows = () => database.db.select().from(tallies).orderBy(tallies.day, tallies.key);

  it("add up per kind, per day and per key", async () => {
    await tally(database.db, now, zone, "search", "crabs");
    await tally(database.db, now, zone, "search", "crabs");
    await tally(database.db, now, zone, "missing", "crabs");
    await tally(database.db, at("2026-11-16T03:30:00Z"), zone, "search", "crabs");
    await tally(database.db, at("2026-11-16T12:00:00Z"), zone, "search", "crabs");
    expect(await rows()).toEqual(
      expect.arrayContaining([
        { kind: "search", day: "2026-11-15", key: "crabs", count: 3 },
        { kind: "missing", day: "2026-11-15", key: "crabs", count: 1 },
        { kind: "search", day: "2026-11-16", key: "crabs", count: 1 },
      ]),
    );
  });

  it("lose none when many readers ask at once", async () => {
    await Promise.all(Array.from({ length: 40 }, () => tally(database.db, now, zone, "search", "rush")));
    expect(await rows()).toEqual([{ kind: "search", day: "2026-11-15", key: "rush", count: 40 }]);
  });

  it("take what no table could hold: NUL, half a character, a very long text", async () => {
    for (const key of ["a\0b", "\ud83e", "😀".repeat(300)])
      await tally(database.db, now, zone, "search", key);
    expect(await rows()).toHaveLength(3);
  });

  it("stay small under a flood of different words", async () => {
    const flood = Array.from({ length: keysPerDay }, (_, index) => ({
      kind: "missing" as const,
      day: "2026-11-15",
      key: `/${index}`,
      count: 1,
    }));
    for (let start = 0; start < flood.length; start += 200) {
      await database.db.insert(tallies).values(flood.slice(start, start + 200));
    }
    await tally(database.db, now, zone, "missing", "/one-too-many");
    await tally(database.db, now, zone, "missing", "/two-too-many");
    const all = await rows();
    expect(all).toHaveLength(keysPerDay + 1);
    expect(all).toContainEqual({ kind: "missing", day: "2026-11-15", key: overflowKey, count: 2 });
  });

  it("are forgotten after 90 days", async () => {
    await tally(database.db, at("2026-08-16T12:00:00Z"), zone, "search", "old");
    await tally(database.db, at("2026-08-17T12:00:00Z"), zone, "search", "kept");
    expect(await forgetOldTallies(database.db, now, zone)).toBe(1);
    expect((await rows()).map(({ key }) => key)).toEqual(["kept"]);
  });
});
