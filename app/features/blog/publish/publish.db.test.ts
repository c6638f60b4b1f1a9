import { count } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { databaseKinds, testDatabase } from "../../../../tests/support/database.ts";
import { blogPosts } from "../schema.server.ts";
import { readPosts } from "./import.server.ts";
import { changePost, importPosts, importProblems } from "./publish.server.ts";

const rules = {
  ownDomain: "one.example",
  domains: ["one.example", "two.example"],
  fileSlugs: ["a-file"],
  timeZone: "America/New_York",
  now: new Date("2026-11-15T12:00:00Z"),
};

function postsOf(lines: string[]) {
  const read = readPosts(
    "posts.csv",
    `slug,domain,metaTitle,metaDescription,date,blog\n${lines.join("\n")}\n`,
  );
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

const many = (name: string, number: number) =>
  postsOf(Array.from({ length: number }, (_, index) => `${name}-${index},,T,D,2026-11-01,words`));

describe.each(databaseKinds)("an import on %s", (kind) => {
  let database: OpenDatabase;
  const heard: string[] = [];
  beforeAll(async () => {
    database = await testDatabase(kind);
    await database.listen({
      purged: (tags) => heard.push(...tags),
      lost: () => {},
      restored: () => {},
    });
  });
  afterAll(() => database.close());
  const rows = async () => (await database.db.select({ rows: count() }).from(blogPosts))[0]?.rows;

  it("takes all posts, and has the pages that show them made anew", async () => {
    await importPosts(
      database.db,
      [...many("a", 250), ...postsOf(["b,two.example,T,D,2026-11-01,w"])],
      rules,
    );
    expect(await rows()).toBe(251);
    await expect.poll(() => heard).toEqual(expect.arrayContaining(["blog", "blog:a-0", "blog:b"]));
  });

  it("leaves nothing behind when it fails on the way", async () => {
    const broken = [...many("c", 150), ...many("a", 1)];
    await expect(importPosts(database.db, broken, rules)).rejects.toThrow();
    expect(await rows()).toBe(251);
  });

  it("is refused for a slug that a row or a file has, and for a domain that is not of the network", async () => {
    const posts = postsOf([
      "a-7,,T,D,2026-11-01,w",
      "a-file,,T,D,2026-11-01,w",
      "x,evil.example,T,D,2026-11-01,w",
    ]);
    expect(await importProblems(database.db, posts, rules)).toEqual([
      { line: 2, field: "slug", message: '"a-7" is taken by another post' },
      { line: 3, field: "slug", message: '"a-file" is taken by another post' },
      {
        line: 4,
        field: "domain",
        message: expect.stringContaining('"evil.example" is not one of'),
      },
    ]);
    expect(await importProblems(database.db, many("new", 3), rules)).toEqual([]);
  });

  it("is followed by a change of one post, which knows whether there was one", async () => {
    expect(await changePost(database.db, "b", { state: "draft" })).toBe(true);
    expect(await changePost(database.db, "none", { state: "draft" })).toBe(false);
  });
});
