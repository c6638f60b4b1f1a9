import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { createSiteContent } from "../../../server/site/site-values.ts";
import { openTestDatabase } from "../../../tests/support/database.ts";
import { createLog } from "../../lib/log.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { tallies } from "./schema.server.ts";
import {
  createTallies,
  deleteOldTallies,
  maxKeysPerDay,
  maxKeysPerFlush,
  type TallyKind,
} from "./tally.server.ts";

const zone = "America/New_York";
const site = createSiteContent(new Map([[siteSettingsFile.path, { timeZone: zone }]]));
const clockAt = (instant: string) => () => new Date(instant);
const log = createLog({ write: () => true });
const now = clockAt("2026-11-15T12:00:00Z");

describe("counts", () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(() => database.db.delete(tallies));
  afterAll(() => database.close());
  const createTalliesAt = (clock: () => Date) =>
    createTallies({ site, db: database.db, clock, log });
  const countAt = async (clock: () => Date, kind: TallyKind, key: string) => {
    const counter = createTalliesAt(clock);
    counter.count(kind, key);
    await counter.stop();
  };
  const readRows = () => database.db.select().from(tallies).orderBy(tallies.day, tallies.key);

  it("add up per kind, per day and per key", async () => {
    await countAt(now, "search", "crabs");
    await countAt(now, "search", "crabs");
    await countAt(now, "missing", "crabs");
    await countAt(clockAt("2026-11-16T03:30:00Z"), "search", "crabs");
    await countAt(clockAt("2026-11-16T12:00:00Z"), "search", "crabs");
    expect(await readRows()).toEqual(
      expect.arrayContaining([
        { kind: "search", day: "2026-11-15", key: "crabs", count: 3 },
        { kind: "missing", day: "2026-11-15", key: "crabs", count: 1 },
        { kind: "search", day: "2026-11-16", key: "crabs", count: 1 },
      ]),
    );
  });

  it("are complete with many requests on several nodes, and after a clean stop", async () => {
    const nodes = [createTalliesAt(now), createTalliesAt(now)];
    for (let n = 0; n < 40; n += 1) nodes[n % 2]?.count("search", n < 20 ? "rush" : "hour");
    await Promise.all(nodes.map((node) => node.flush()));
    nodes[0]?.count("search", "rush");
    await Promise.all(nodes.map((node) => node.stop()));
    expect((await readRows()).map(({ key, count }) => [key, count])).toEqual([
      ["hour", 20],
      ["rush", 21],
    ]);
  });

  it("are stored later if they could not be stored at first", async () => {
    const counter = createTalliesAt(now);
    counter.count("search", "crabs");
    await database.executeSql("alter table tallies rename to away");
    await counter.flush().finally(() => database.executeSql("alter table away rename to tallies"));
    counter.count("search", "crabs");
    await counter.stop();
    expect(await readRows()).toEqual([
      { kind: "search", day: "2026-11-15", key: "crabs", count: 2 },
    ]);
  });

  it("work for strings that a table cannot store: NUL, half of a surrogate pair, a very long string", async () => {
    for (const key of ["a\0b", "\ud83e", "😀".repeat(300)]) await countAt(now, "search", key);
    expect(await readRows()).toHaveLength(3);
  });

  it("use limited memory", async () => {
    const counter = createTalliesAt(now);
    for (let n = 0; n < 3 * maxKeysPerFlush; n += 1) counter.count("missing", `/${n}`);
    counter.count("search", "crabs");
    await counter.stop();
    const all = await readRows();
    expect(all).toHaveLength(maxKeysPerFlush + 1);
  });

  it("use limited space in the table when many different keys are counted", async () => {
    const flood = Array.from({ length: maxKeysPerDay }, (_, index) => ({
      kind: "missing" as const,
      day: "2026-11-15",
      key: `/${index}`,
      count: 1,
    }));
    for (let start = 0; start < flood.length; start += 200) {
      await database.db.insert(tallies).values(flood.slice(start, start + 200));
    }
    const counter = createTalliesAt(now);
    for (const path of ["/one-too-many", "/two-too-many", "/7"]) counter.count("missing", path);
    await counter.stop();
    const all = await readRows();
    expect(all).toHaveLength(maxKeysPerDay);
    expect(all).toContainEqual({ kind: "missing", day: "2026-11-15", key: "/7", count: 2 });
  });

  it("are deleted after 90 days", async () => {
    await countAt(clockAt("2026-08-16T12:00:00Z"), "search", "old");
    await countAt(clockAt("2026-08-17T12:00:00Z"), "search", "recent");
    expect(await deleteOldTallies(database.db, now, zone)).toBe(1);
    expect((await readRows()).map(({ key }) => key)).toEqual(["recent"]);
  });
});
