import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { createSiteContent } from "../../../../server/site/site-values.ts";
import { openTestDatabase } from "../../../../tests/support/database.ts";
import type { Correction } from "../../../site-files/article-fields.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { blogPosts } from "../schema.server.ts";
import { ownPostSource } from "./posts.server.ts";

const now = new Date("2026-11-15T12:00:00Z");
const day = (index: number) => new Date(Date.UTC(2026, 9, 1) + index * 86_400_000);

type File = { slug: string; publishAt: Date; isDraft?: boolean; corrections?: Correction[] };
const createFile = (slug: string, publishAt: Date): File => ({ slug, publishAt });

/** A city of the domain one.example with these files. */
const createSite = (files: File[]) =>
  createSiteContent(
    new Map<string, unknown>([
      [siteSettingsFile.path, { origin: "https://one.example", timeZone: "UTC" }],
      ...files.map(({ slug, publishAt, isDraft = false, corrections = [] }) => {
        const texts = { metaTitle: slug, metaDescription: "", author: [], corrections };
        const front = { ...texts, date: publishAt.toISOString(), draft: isDraft };
        return [`blog/${slug}.md`, { id: slug, front, body: "text" }] as const;
      }),
    ]),
  );

const createRow = (
  slug: string,
  publishAt: Date,
  domain = "one.example",
  state: "published" | "draft" = "published",
) => ({
  domain,
  slug,
  metaTitle: slug,
  metaDescription: "",
  blog: "text",
  date: publishAt.toISOString(),
  publishAt,
  state,
  createdAt: now,
});

describe("blog posts", () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
    await database.db.insert(blogPosts).values([
      // Every second day has a post in the database; some of these days also have a file.
      ...Array.from({ length: 23 }, (_, index) => createRow(`row-${index}`, day(index * 2))),
      ...Array.from({ length: 15 }, (_, index) =>
        createRow(`other-${index}`, day(index), "two.example"),
      ),
      createRow("draft", day(1), "one.example", "draft"),
      createRow("scheduled", new Date("2026-11-20T12:00:00Z")),
      createRow("shared-slug", day(3)),
    ]);
  });
  afterAll(() => database.close());

  const files = [
    { ...createFile("file-draft", day(2)), isDraft: true },
    ...[0, 3, 4, 5, 11, 20, 21, 22, 23, 44, 45].map((number) =>
      createFile(`file-${number}`, day(number)),
    ),
    createFile("shared-slug", day(30)),
    createFile("file-later", new Date("2026-11-18T12:00:00Z")),
  ];

  const createSource = (posts: File[], at = now, expireAt = (_: Date) => {}) =>
    ownPostSource({ db: database.db, site: createSite(posts), clock: () => at, expireAt });
  /** When a page with these posts expires. */
  const findExpiry = async (posts: File[], domain = "one.example", at = now) => {
    const expiries: Date[] = [];
    await createSource(posts, at, (instant) => expiries.push(instant)).list(domain, 1);
    return expiries;
  };

  it("from the database and from files form one list: newest first, no duplicates, none missing", async () => {
    const rows = Array.from({ length: 23 }, (_, index) =>
      createRow(`row-${index}`, day(index * 2)),
    );
    const expected = [...files.slice(1, -1), ...rows]
      .toSorted((one, other) => other.publishAt.getTime() - one.publishAt.getTime())
      .map(({ slug }) => slug);
    const source = createSource(files);
    const shown: string[] = [];
    for (let page = 1; page <= 5; page += 1) {
      const { heads, total } = await source.list("one.example", page);
      expect(total).toBe(35);
      expect(heads.length).toBe([10, 10, 10, 5, 0][page - 1]);
      shown.push(...heads.map(({ slug }) => slug));
    }
    expect(shown).toEqual(expected);
  });

  it("appear only in the list of their domain, even if it has no files", async () => {
    expect((await createSource([]).list("two.example", 2)).heads.map(({ slug }) => slug)).toEqual(
      [4, 3, 2, 1, 0].map((number) => `other-${number}`),
    );
    const { heads, total } = await createSource(files).list("none.example", 1);
    expect({ heads, total }).toEqual({ heads: [], total: 0 });
  });

  it("are found by their slug once they are published, whatever their domain", async () => {
    const source = createSource(files);
    expect(await source.find("other-3")).toMatchObject({ domain: "two.example", blog: "text" });
    expect(await source.find("file-3")).toMatchObject({ slug: "file-3" });
    for (const hidden of [
      "draft",
      "scheduled",
      "file-later",
      "file-draft",
      "none",
      "A",
      "a b",
      "a\0",
    ])
      expect(await source.find(hidden), hidden).toBeNull();
  });

  it("that are scheduled determine when a page with posts expires", async () => {
    expect(await findExpiry(files)).toEqual([new Date("2026-11-18T12:00:00Z")]);
    expect(await findExpiry(files, "two.example")).toEqual([]);
    const later = new Date("2026-11-19T12:00:00Z");
    expect(await findExpiry(files, "one.example", later)).toEqual([
      new Date("2026-11-20T12:00:00Z"),
    ]);
  });

  it("that are files are shown differently when a correction of theirs is due", async () => {
    const dueAt = new Date("2026-11-16T09:00:00Z");
    const corrections = [day(2), dueAt].map((at) => ({ date: at.toISOString(), text: "Wrong." }));
    const corrected = { ...createFile("corrected", day(1)), corrections };
    const draft = { ...createFile("a-draft", new Date("2026-11-15T13:00:00Z")), isDraft: true };
    expect(await findExpiry([corrected, draft])).toEqual([dueAt]);
  });
});
