import { randomBytes } from "node:crypto";
import { like } from "drizzle-orm";
import pLimit from "p-limit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { databaseKinds, openTestDatabase } from "../../../../tests/support/database.ts";
import { feedItems, headlines } from "../schema.server.ts";
import type { Item } from "./normalize.server.ts";
import { createStore } from "./store.server.ts";

describe.each(databaseKinds)("the store of feed items on %s", (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    for (const table of [feedItems, headlines]) await database.db.delete(table);
  });
  const now = new Date("2026-11-15T12:00:00Z");
  /** Stores items like one node: each source in a transaction, one after the other. */
  const createNode = () => {
    const { store, remember } = createStore();
    const inTurn = pLimit(1);
    return (sourceId: string, items: Item[]) =>
      inTurn(async () => {
        const stored = await database.db.transaction((tx) => store(tx, sourceId, items, now));
        remember(sourceId, stored);
        return { fresh: stored.fresh, changed: stored.changed };
      });
  };
  const item = (path: string, title = `Story at ${path}`) => ({
    key: path,
    identity: `paper.example${path}`,
    link: `https://paper.example${path}`,
    title,
    summary: "",
    publishedAt: new Date("2026-11-15T06:00:00Z"),
  });

  it("purges the pages of the sources that are stored, and counts the items of each", async () => {
    const notifications: string[][] = [];
    const stop = await database.listen({
      onPurge: (tags) => notifications.push(tags),
      onLost: () => {},
      onRestored: () => {},
    });
    const store = createNode();
    const counts = await Promise.all(
      ["a", "b", "c", "d"].map((source, index) =>
        store(
          source,
          ["/1", "/2", "/3"].slice(index).map((path) => item(`/${source}${path}`)),
        ),
      ),
    );
    expect(counts.map(({ fresh }) => fresh)).toEqual([3, 2, 1, 0]);
    await expect
      .poll(() => notifications.flat().sort())
      .toEqual(["headlines", "headlines", "headlines", "source:a", "source:b", "source:c"]);
    await stop();
  });

  it("merges headlines of several sources that have the same URL or a similar title", async () => {
    const store = createNode();
    await Promise.all([
      store("first", []),
      store("a", [item("/1", "Council approves $4 billion city budget after long night")]),
      store("b", [item("/2", "City council approves $4 billion budget after a long night")]),
      store("c", [item("/1", "Something else entirely happened downtown")]),
    ]);
    expect(await database.db.select().from(headlines)).toMatchObject([
      { sourceId: "a", identity: "paper.example/1" },
    ]);
    expect(await database.db.select().from(feedItems)).toHaveLength(3);
  });

  it("stores the other sources if one cannot be stored", async () => {
    const store = createNode();
    // This identity is too long for an index entry.
    const unstorable = { ...item("/bad"), identity: randomBytes(6_000).toString("hex") };
    const results = await Promise.allSettled([
      store("first", [item("/first")]),
      store("bad", [item("/fine"), unstorable]),
      store("good", [item("/good")]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const stored = await database.db.select().from(headlines).orderBy(headlines.identity);
    expect(stored.map(({ identity }) => identity)).toEqual([
      "paper.example/first",
      "paper.example/good",
    ]);
  });

  it("stores a long feed with its edited items", async () => {
    const items = Array.from({ length: 450 }, (_, n) => item(`/${n}`));
    expect(await createNode()("long", items)).toEqual({ fresh: 450, changed: 0 });
    const corrected = items.map((original, n) =>
      n % 2 === 0 ? original : { ...original, title: `Corrected ${n}` },
    );
    expect(await createNode()("long", corrected)).toEqual({ fresh: 0, changed: 225 });
    expect(
      await database.db.select().from(headlines).where(like(headlines.title, "Corrected%")),
    ).toHaveLength(225);
  });

  it("stores each headline once if two nodes store the same headlines at the same time", async () => {
    const items = Array.from({ length: 150 }, (_, n) => item(`/${n}`));
    const sources = ["a", "b", "c", "d"];
    const nodes = [createNode(), createNode()];
    const counts = await Promise.all(
      sources.map((source, index) => nodes[index % 2]?.(source, items)),
    );
    expect(counts).toEqual(sources.map(() => ({ fresh: 150, changed: 0 })));
    expect(await database.db.select({ id: headlines.id }).from(headlines)).toHaveLength(150);
    expect(await database.db.select({ key: feedItems.key }).from(feedItems)).toHaveLength(600);
  });
});
