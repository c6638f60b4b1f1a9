import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { databaseKinds, testDatabase } from "../../../tests/support/database.ts";
import { createLog } from "../../lib/log.ts";
import { tallies } from "./schema.server.ts";
import {
  createTallies,
  deleteOldTallies,
  keysPerDay,
  keysPerFlush,
  overflowKey,
  type TallyKind,
} from "./tally.server.ts";

const zone = "America/New_York";
const at = (instant: string) => () => new Date(instant);
const log = createLog({ write: () => true });
const now = at("2026-11-15T12:00:00Z");

describe.each(databaseKinds)("counts on %s", (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await testDatabase(kind);
  });
  beforeEach(() => database.db.delete(tallies));
  afterAll(() => database.close());
  const talliesAt = (clock: () => Date) =>
    createTallies({ db: database.db, clock, log }, () => zone);
  const countAt = async (clock: () => Date, kind: TallyKind, text: string) => {
    const counter = talliesAt(clock);
    counter.count(kind, text);
    await counter.stop();
  };
  const rows = () => database.db.select().from(tallies).orderBy(tallies.day, tallies.key);

  it("add up per kind, per day and per key", async () => {
    await countAt(now, "search", "crabs");
    await countAt(now, "search", "crabs");
    await countAt(now, "missing", "crabs");
    await countAt(at("2026-11-16T03:30:00Z"), "search", "crabs");
    await countAt(at("2026-11-16T12:00:00Z"), "search", "crabs");
    expect(await rows()).toEqual(
      expect.arrayContaining([
        { kind: "search", day: "2026-11-15", key: "crabs", count: 3 },
        { kind: "missing", day: "2026-11-15", key: "crabs", count: 1 },
        { kind: "search", day: "2026-11-16", key: "crabs", count: 1 },
      ]),
    );
  });

  it("are complete with many requests on several nodes, and after a clean stop", async () => {
    const nodes = [talliesAt(now), talliesAt(now)];
    for (let n = 0; n < 40; n += 1) nodes[n % 2]?.count("search", n < 20 ? "rush" : "hour");
    await Promise.all(nodes.map((node) => node.flush()));
    nodes[0]?.count("search", "rush");
    await Promise.all(nodes.map((node) => node.stop()));
    expect((await rows()).map(({ key, count }) => [key, count])).toEqual([
      ["hour", 20],
      ["rush", 21],
    ]);
  });

  it("are stored later if they could not be stored at first", async () => {
    const counter = talliesAt(now);
    counter.count("search", "crabs");
    await database.executeSql("alter table tallies rename to away");
    await counter.flush();
    await database.executeSql("alter table away rename to tallies");
    counter.count("search", "crabs");
    await counter.stop();
    expect(await rows()).toEqual([{ kind: "search", day: "2026-11-15", key: "crabs", count: 2 }]);
  });

  it("accept texts that a table cannot store: NUL, half of a surrogate pair, a very long text", async () => {
    for (const key of ["a\0b", "\ud83e", "😀".repeat(300)]) await countAt(now, "search", key);
    expect(await rows()).toHaveLength(3);
  });

  it("use limited memory", async () => {
    const counter = talliesAt(now);
    for (let n = 0; n < 3 * keysPerFlush; n += 1) counter.count("missing", `/${n}`);
    counter.count("search", "crabs");
    await counter.stop();
    const all = await rows();
    expect(all).toHaveLength(keysPerFlush + 2);
    expect(all).toContainEqual({
      kind: "missing",
      day: "2026-11-15",
      key: overflowKey,
      count: 2 * keysPerFlush,
    });
  });

  it("use limited space in the table when many different texts are counted", async () => {
    const flood = Array.from({ length: keysPerDay }, (_, index) => ({
      kind: "missing" as const,
      day: "2026-11-15",
      key: `/${index}`,
      count: 1,
    }));
    for (let start = 0; start < flood.length; start += 200) {
      await database.db.insert(tallies).values(flood.slice(start, start + 200));
    }
    const counter = talliesAt(now);
    for (const path of ["/one-too-many", "/two-too-many", "/7"]) counter.count("missing", path);
    await counter.stop();
    const all = await rows();
    expect(all).toHaveLength(keysPerDay + 1);
    expect(all).toContainEqual({ kind: "missing", day: "2026-11-15", key: overflowKey, count: 2 });
    expect(all).toContainEqual({ kind: "missing", day: "2026-11-15", key: "/7", count: 2 });
  });

  it("are deleted after 90 days", async () => {
    await countAt(at("2026-08-16T12:00:00Z"), "search", "old");
    await countAt(at("2026-08-17T12:00:00Z"), "search", "recent");
    expect(await deleteOldTallies(database.db, now, zone)).toBe(1);
    expect((await rows()).map(({ key }) => key)).toEqual(["recent"]);
  });
});
