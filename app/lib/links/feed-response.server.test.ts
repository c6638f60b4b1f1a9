import { parseFeed } from "feedsmith";
import { describe, expect, it } from "vitest";
import { htmlToLine } from "../text/plain-text.server.ts";
import { feedResponse } from "./feed-response.server.ts";

const channel = {
  title: "Local & National",
  description: "News",
  origin: "https://city.example",
  page: "/local",
  path: "/feeds/local",
  updatedAt: new Date("2026-11-15T12:00:00Z"),
};
const feed = (ending: "xml" | "atom" | "json", text: string, html?: string) =>
  feedResponse(ending, channel, [
    {
      id: "1",
      title: text,
      link: "https://paper.example/1?a=1&b=2",
      summary: text,
      author: "A & B",
      publishedAt: channel.updatedAt,
      ...(html === undefined ? {} : { html }),
    },
  ]).text();

/** What programs find in a feed of ours: the title and the text of its one item. */
async function found(ending: "xml" | "atom", text: string): Promise<(string | undefined)[]> {
  const parsed = parseFeed(await feed(ending, text));
  if (parsed.format === "rss") {
    const [item] = parsed.feed.items ?? [];
    return [item?.title, item?.description];
  }
  if (parsed.format !== "atom") throw new Error(parsed.format);
  const [entry] = parsed.feed.entries ?? [];
  expect([entry?.title?.type, entry?.summary?.type]).toEqual(["html", "html"]);
  return [entry?.title?.value, entry?.summary?.value];
}

describe.each(["xml", "atom"] as const)("our feeds (%s)", (ending) => {
  it.each([
    '<img src="x" onerror="alert(1)">',
    "<script>alert(1)</script>",
    "</title><!-- <?x",
    "&lt;img src=x onerror=alert(1)&gt;",
    "&amp;lt;b&amp;gt;",
    "a ]]> b <b>",
    "AT&T &copy 5 < 6",
  ])("show %s as it is in programs that take it for HTML", async (text) => {
    for (const value of await found(ending, text)) {
      expect(value).not.toMatch(/<[a-z/!?]/i);
      expect(htmlToLine(value ?? "")).toBe(text);
    }
  });

  it.each(["Profits & losses", "5 < 6 > 4", 'R&D at AT&T: what’s "new"?'])(
    "show %s as it is in programs that take it for text",
    async (text) => {
      expect(await found(ending, text)).toEqual([text, text]);
    },
  );

  it("hold no character that XML does not know", async () => {
    expect(await feed(ending, "a\u000bb\ufffe", "<p>c\u0001\ud800</p>")).not.toMatch(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
      /[\u0001\u000b\ufffe\ud800]/,
    );
  });
});

it("our JSON feed says plain text in fields that are plain text", async () => {
  const { items } = JSON.parse(await feed("json", "<b>"));
  expect(items[0]).toMatchObject({ title: "<b>", content_text: "<b>" });
  expect(items[0]).not.toHaveProperty("content_html");
});
