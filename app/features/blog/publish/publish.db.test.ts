import { count } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { openTestDatabase } from "../../../../tests/support/database.ts";
import { findStoredPost } from "../posts/posts.server.ts";
import { blogPosts } from "../schema.server.ts";
import { parsePosts } from "./import.server.ts";
import { changePost, findImportProblems, importPosts } from "./publish.server.ts";

const rules = {
  ownDomain: "one.example",
  domains: ["one.example", "two.example"],
  fileSlugs: ["a-file"],
  timeZone: "America/New_York",
  now: new Date("2026-11-15T12:00:00Z"),
};

function parseCsvLines(lines: string[]) {
  const parsed = parsePosts(
    "posts.csv",
    `slug,domain,metaTitle,metaDescription,date,blog\n${lines.join("\n")}\n`,
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}

const createPosts = (name: string, length: number) =>
  parseCsvLines(
    Array.from({ length: length }, (_, index) => `${name}-${index},,T,D,2026-11-01,text`),
  );

describe("an import", () => {
  let database: OpenDatabase;
  let stopListening: () => Promise<unknown>;
  const purgedTags: string[] = [];
  beforeAll(async () => {
    database = await openTestDatabase();
    stopListening = await database.listen({
      onPurge: (tags) => purgedTags.push(...tags),
      onLost: () => {},
      onRestored: () => {},
    });
    await importPosts(
      database.db,
      [...createPosts("a", 250), ...parseCsvLines(["b,two.example,T,D,2026-11-01,w"])],
      rules,
    );
  });
  afterAll(async () => {
    await stopListening();
    await database.close();
  });
  const countRows = async () =>
    (await database.db.select({ rows: count() }).from(blogPosts))[0]?.rows;

  it("stores all posts and purges the pages that show them", async () => {
    expect(await countRows()).toBe(251);
    await expect
      .poll(() => purgedTags)
      .toEqual(expect.arrayContaining(["blog", "blog:a-0", "blog:b"]));
  });

  it("stores nothing if it fails halfway", async () => {
    const broken = [...createPosts("c", 150), ...createPosts("a", 1)];
    await expect(importPosts(database.db, broken, rules)).rejects.toThrow();
    expect(await countRows()).toBe(251);
  });

  it("is refused if a slug is already used by a row or a file, or a domain is not in the network", async () => {
    const posts = parseCsvLines([
      "a-7,,T,D,2026-11-01,w",
      "a-file,,T,D,2026-11-01,w",
      "x,evil.example,T,D,2026-11-01,w",
    ]);
    expect(await findImportProblems(database.db, posts, rules)).toEqual([
      {
        line: 2,
        field: "slug",
        message: expect.stringContaining("write it as the file blog/a-7.md"),
      },
      { line: 3, field: "slug", message: expect.stringContaining("edit the file blog/a-file.md") },
      {
        line: 4,
        field: "domain",
        message: expect.stringContaining('"evil.example" is not one of'),
      },
    ]);
    expect(await findImportProblems(database.db, createPosts("new", 3), rules)).toEqual([]);
  });

  it("stores posts that can become drafts", async () => {
    await changePost(database.db, "b", { state: "draft" });
    expect(await findStoredPost(database.db, "b")).toMatchObject({ isDraft: true });
  });
});
