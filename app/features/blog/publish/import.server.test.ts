import { describe, expect, it } from "vitest";
import { parsePosts } from "./import.server.ts";

const json = (posts: unknown) => JSON.stringify(posts, null, 1);
const validPost = {
  slug: "a-post",
  metaTitle: "T",
  metaDescription: "D",
  date: "2026-11-01",
  blog: "# Hi",
};

describe("a file with posts", () => {
  it("can be CSV, with commas, quotes and line breaks in cells", () => {
    const csv =
      '\ufeffslug,metaTitle,metaDescription,date,blog,pinterestImageLink\r\na,"One, ""two""",D,2026-11-01,"# Hi\n\nThere",\r\nb,T,D,2026-11-02T09:00:00-05:00,x,https://a.example/p.png\r\n';
    expect(parsePosts("posts.csv", csv)).toMatchObject({
      ok: true,
      value: [
        { line: 2, slug: "a", metaTitle: 'One, "two"', blog: "# Hi\n\nThere", state: "published" },
        { line: 5, slug: "b", pinterestImageLink: "https://a.example/p.png" },
      ],
    });
  });

  it("is refused with the line of a quote that never closes, even if the file is very long", () => {
    const csv = `slug,blog\na,x\nb,"${"x".repeat(20_000_000)}`;
    expect(parsePosts("posts.csv", csv)).toMatchObject({
      ok: false,
      problems: [{ line: 3, field: "quotes" }],
    });
  });

  it("can be JSON, one post or a list, where null counts as missing", () => {
    expect(parsePosts("p.json", json([{ ...validPost, youtubeShortsUrl: null }]))).toMatchObject({
      ok: true,
    });
    expect(parsePosts("p.json", json(validPost))).toMatchObject({
      ok: true,
      value: [{ slug: "a-post" }],
    });
  });

  it("can have dates with a time", () => {
    for (const date of ["2026-11-15 18:30", "2026-11-15T18:30:00", "2026-11-15T18:30:00Z"])
      expect(parsePosts("p.json", json({ ...validPost, date }))).toMatchObject({ ok: true });
  });

  it("can call the title and the excerpt as stories do", () => {
    const { metaTitle: title, metaDescription: excerpt, ...post } = validPost;
    for (const [name, source] of [
      ["p.csv", "slug,title,excerpt,date,blog\na-post,T,D,2026-11-01,# Hi\n"],
      ["p.json", json({ ...post, title, excerpt })],
    ] as const)
      expect(parsePosts(name, source)).toMatchObject({ ok: true, value: [validPost] });
  });

  it("is refused with a hint if a spreadsheet has written semicolons", () => {
    const message = expect.stringContaining("Export the table again with commas");
    expect(parsePosts("posts.csv", "slug;title;date\na;b;2026-11-01")).toMatchObject({
      ok: false,
      problems: [{ line: 1, message }],
    });
  });

  it.each([
    [
      "p.csv",
      "slug,metaTitle,metaDescription,date,blog\na,T,D,2026-11-01,x\nB!,,D,2026-02-30,x",
      [3, 3, 3],
    ],
    ["p.csv", "slug,titel\na,b", [1]],
    ["p.csv", "slug,metaTitle\na,b,c", [2]],
    ["p.csv", 'slug,metaTitle\n"a,b', [2]],
    ["p.csv", "", [1]],
    ["p.json", '[\n{"slug": "a",}\n]', [2]],
    ["p.json", json([validPost, { ...validPost, slug: "b", date: 5, extra: 1 }]), [13, 15]],
    ["p.json", json([validPost, validPost]), [9]],
    ["p.json", json([{ ...validPost, pinterestImageLink: "javascript:alert(1)" }]), [8]],
    ["p.json", "[]", [1]],
    ["p.md", "---\ntitle: T\n---\nx", [1]],
  ])("is refused with the lines to correct: %s with the content %j", (name, source, lines) => {
    const parsed = parsePosts(name, source);
    expect(parsed.ok ? [] : parsed.problems.map(({ line }) => line)).toEqual(lines);
  });
});
