import { randomBytes } from "node:crypto";
import { eq, like } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { databaseKinds, openTestDatabase } from "../../../../tests/support/database.ts";
import { feedItems, feedSources, headlines } from "../schema.server.ts";
import { createStore } from "./store.server.ts";

describe.each(databaseKinds)("the store of feed items on %s", (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    for (const table of [feedItems, headlines, feedSources]) await database.db.delete(table);
  });
  const readState = async (id: string) =>
    (await database.db.select().from(feedSources).where(eq(feedSources.id, id)))[0];

  const now = new Date("2026-11-15T12:00:00Z");
  /** Creates a store like that of one node. */
  const createNode = () => createStore(database.db);
  const item = (path: string, title = `Story at ${path}`) => ({
    key: path,
    identity: `paper.example${path}`,
    link: `https://paper.example${path}`,
    title,
    summary: "",
    publishedAt: new Date("2026-11-15T06:00:00Z"),
  });
  const addSource = async (id: string) => {
    const [state] = await database.db
      .insert(feedSources)
      .values({ id, url: `https://paper.example/${id}`, nextAttemptAt: now })
      .returning();
    if (!state) throw new Error("not stored");
    return { ...state, etag: '"new"' };
  };
  const addSources = async (...ids: string[]) => Promise.all(ids.map(addSource));

  it("purges the pages of the sources that are stored, and counts the items of each", async () => {
    const notifications: string[][] = [];
    const stop = await database.listen({
      onPurge: (tags) => notifications.push(tags),
      onLost: () => {},
      onRestored: () => {},
    });
    const store = createNode();
    const states = await addSources("a", "b", "c", "d");
    const counts = await Promise.all(
      states.map((state, index) =>
        store({
          state,
          items: ["/1", "/2", "/3"].slice(index).map((path) => item(`/${state.id}${path}`)),
          now,
        }),
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
    const [first, a, b, c] = await addSources("first", "a", "b", "c");
    if (!first || !a || !b || !c) throw new Error("not stored");
    await Promise.all([
      store({ state: first, items: [], now }),
      store({
        state: a,
        items: [item("/1", "Council approves $4 billion city budget after long night")],
        now,
      }),
      store({
        state: b,
        items: [item("/2", "City council approves $4 billion budget after a long night")],
        now,
      }),
      store({ state: c, items: [item("/1", "Something else entirely happened downtown")], now }),
    ]);
    expect(await database.db.select().from(headlines)).toMatchObject([
      { sourceId: "a", identity: "paper.example/1" },
    ]);
    expect(await database.db.select().from(feedItems)).toHaveLength(3);
  });

  it("stores the other sources if one cannot be stored, but not the etag of the failed one", async () => {
    const store = createNode();
    const [first, good, bad] = await addSources("first", "good", "bad");
    if (!first || !good || !bad) throw new Error("not stored");
    // This identity is too long for an index entry.
    const unstorable = { ...item("/bad"), identity: randomBytes(6_000).toString("hex") };
    const results = await Promise.allSettled([
      store({ state: first, items: [item("/first")], now }),
      store({ state: bad, items: [item("/fine"), unstorable], now }),
      store({ state: good, items: [item("/good")], now }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const stored = await database.db.select().from(headlines).orderBy(headlines.identity);
    expect(stored.map(({ identity }) => identity)).toEqual([
      "paper.example/first",
      "paper.example/good",
    ]);
    expect(await readState("good")).toMatchObject({ etag: '"new"' });
    expect(await readState("bad")).toMatchObject({ etag: null });
  });

  it("stores a long feed with its edited items and the state of the source", async () => {
    const [state] = await addSources("long");
    if (!state) throw new Error("not stored");
    const items = Array.from({ length: 450 }, (_, n) => item(`/${n}`));
    expect(await createNode()({ state, items, now })).toEqual({ fresh: 450, changed: 0 });
    const corrected = items.map((original, n) =>
      n % 2 === 0 ? original : { ...original, title: `Corrected ${n}` },
    );
    expect(await createNode()({ state, items: corrected, now })).toEqual({
      fresh: 0,
      changed: 225,
    });
    expect(
      await database.db.select().from(headlines).where(like(headlines.title, "Corrected%")),
    ).toHaveLength(225);
    expect(await readState("long")).toMatchObject({ etag: '"new"' });
  });

  it("stores each headline once if two nodes store the same headlines at the same time", async () => {
    const items = Array.from({ length: 150 }, (_, n) => item(`/${n}`));
    const states = await addSources("a", "b", "c", "d");
    const nodes = [createNode(), createNode()];
    const counts = await Promise.all(
      states.map((state, index) => nodes[index % 2]?.({ state, items, now })),
    );
    expect(counts).toEqual(states.map(() => ({ fresh: 150, changed: 0 })));
    expect(await database.db.select({ id: headlines.id }).from(headlines)).toHaveLength(150);
    expect(await database.db.select({ key: feedItems.key }).from(feedItems)).toHaveLength(600);
  });

  it("stores no state from a URL that was replaced in sections.yaml during the visit", async () => {
    const [state] = await addSources("moved");
    if (!state) throw new Error("not stored");
    await database.db.update(feedSources).set({ url: "https://other.example/" });
    await createNode()({ state, items: [item("/1")], now });
    expect(await readState("moved")).toMatchObject({ url: "https://other.example/", etag: null });
  });
});
