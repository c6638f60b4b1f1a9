import { parseFeed } from "feedsmith";
import { describe, expect, it } from "vitest";
import { findBrokenFeedRules } from "../../../tests/support/feed-rules.ts";
import { htmlToLine } from "../text/plain-text.server.ts";
import { feedResponse, toFeedHtml } from "./feed-response.server.ts";

const info = {
  title: "Local & National",
  description: "News",
  origin: "https://city.example",
  page: "/local",
  path: "/feeds/local",
  now: new Date("2026-11-15T12:00:00Z"),
};
const feed = (extension: "xml" | "atom" | "json", text: string, html?: string) =>
  feedResponse(extension, info, [
    {
      id: "1",
      title: text,
      link: "https://paper.example/1?a=1&b=2",
      summary: text,
      authors: ["A & B"],
      publishedAt: info.now,
      ...(html === undefined ? {} : { html }),
    },
  ]).text();

/** Parses one of our feeds and returns the title and the text of its only item. */
async function parseOurFeed(
  extension: "xml" | "atom",
  text: string,
): Promise<(string | undefined)[]> {
  const parsed = parseFeed(await feed(extension, text));
  if (parsed.format === "rss") {
    const [item] = parsed.feed.items ?? [];
    return [item?.title, item?.description];
  }
  if (parsed.format !== "atom") throw new Error(parsed.format);
  const [entry] = parsed.feed.entries ?? [];
  expect([entry?.title?.type, entry?.summary?.type]).toEqual(["html", "html"]);
  return [entry?.title?.value, entry?.summary?.value];
}

describe.each(["xml", "atom"] as const)("our feeds (%s)", (extension) => {
  it.each([
    '<img src="x" onerror="alert(1)">',
    "<script>alert(1)</script>",
    "</title><!-- <?x",
    "&lt;img src=x onerror=alert(1)&gt;",
    "&amp;lt;b&amp;gt;",
    "a ]]> b <b>",
    "AT&T &copy 5 < 6",
  ])("show %s unchanged in feed readers that treat it as HTML", async (text) => {
    for (const value of await parseOurFeed(extension, text)) {
      expect(value).not.toMatch(/<[a-z/!?]/i);
      expect(htmlToLine(value ?? "")).toBe(text);
    }
  });

  it.each(["Profits & losses", "5 < 6 > 4", 'R&D at AT&T: what’s "new"?'])(
    "show %s unchanged in feed readers that treat it as plain text",
    async (text) => {
      expect(await parseOurFeed(extension, text)).toEqual([text, text]);
    },
  );

  it("contain no character that XML does not allow", async () => {
    expect(await feed(extension, "a\u000bb\ufffe", "<p>c\u0001\ud800</p>")).not.toMatch(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
      /[\u0001\u000b\ufffe\ud800]/,
    );
  });
});

it("our JSON feed has plain text in plain text fields", async () => {
  const { items } = JSON.parse(await feed("json", "<b>"));
  expect(items[0]).toMatchObject({ title: "<b>", content_text: "<b>" });
  expect(items[0]).not.toHaveProperty("content_html");
});

it("our feeds name all authors, and say when an entry changed", async () => {
  const [publishedAt, updatedAt] = [info.now, new Date("2026-11-16T08:00:00Z")];
  const entry = { id: "1", title: "T", link: "/t", summary: "S", authors: ["Ada", "Sam"] };
  const write = (extension: "xml" | "atom" | "json") =>
    feedResponse(extension, info, [{ ...entry, publishedAt, updatedAt }]).text();
  const rss = parseFeed(await write("xml"));
  expect(rss.format === "rss" && rss.feed).toMatchObject({
    lastBuildDate: updatedAt.toUTCString(),
    items: [{ dc: { creators: ["Ada", "Sam"] }, atom: { updated: updatedAt.toISOString() } }],
  });
  const atom = parseFeed(await write("atom"));
  expect(atom.format === "atom" && atom.feed).toMatchObject({
    updated: updatedAt.toISOString(),
    entries: [
      {
        authors: [{ name: "Ada" }, { name: "Sam" }],
        published: publishedAt.toISOString(),
        updated: updatedAt.toISOString(),
      },
    ],
  });
  expect(JSON.parse(await write("json")).items[0]).toMatchObject({
    authors: [{ name: "Ada" }, { name: "Sam" }],
    date_modified: updatedAt.toISOString(),
  });
});

describe.each(["xml", "atom", "json"] as const)("our %s feed", (extension) => {
  const write = (html: string, count = 2) => {
    const entries = Array.from({ length: count }, (_, index) => ({
      id: `https://city.example/news/${index}`,
      title: `Mayor & <council> ]]> no. ${index}`,
      link: `/news/${index}`,
      summary: "It is 5 < 6 & more.",
      authors: ["Ada & Sam"],
      category: "Food & Drink",
      publishedAt: info.now,
      updatedAt: new Date("2026-11-16T08:00:00Z"),
      html,
    }));
    return feedResponse(extension, info, entries).text();
  };

  it("keeps the rules of its format", async () => {
    expect(findBrokenFeedRules(extension, await write("<p>Text</p>"))).toEqual([]);
    expect(findBrokenFeedRules(extension, await write("", 0))).toEqual([]);
  });

  it("with paths in its text would break them", async () => {
    expect(findBrokenFeedRules(extension, await write('<a href="/about">About</a>'))).toContain(
      "links and images have full URLs",
    );
  });
});

it("the text of a feed has full URLs of links and images", () => {
  const html =
    '<a href="/a">A</a><a href="https://x.example/b">B</a><img src="/art/c.jpg" alt="/d">';
  expect(toFeedHtml(html, "https://city.example")).toBe(
    '<a href="https://city.example/a">A</a><a href="https://x.example/b">B</a><img src="https://city.example/art/c.jpg" alt="/d">',
  );
});
