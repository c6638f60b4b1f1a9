import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { toBookmarksFile, toTextFile } from "./export.ts";
import { maxSavedItems, removeItem, type SavedItem, savedItems, saveItem } from "./saved-items.ts";

const item = (number: number, more: Partial<SavedItem> = {}): SavedItem => ({
  url: `/news/story-${number}`,
  title: `Story ${number}`,
  kind: "story",
  savedAt: number,
  ...more,
});

/** The browser's storage, as far as the list uses it. */
function installStorage(): Map<string, string> {
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  });
  return stored;
}

describe("the saved list", () => {
  let stored: Map<string, string>;
  beforeEach(() => {
    stored = installStorage();
  });
  afterEach(() => vi.unstubAllGlobals());

  it("has the newest item first, and each item once", () => {
    expect([saveItem(item(1)), saveItem(item(2)), saveItem({ ...item(1), savedAt: 3 })]).toEqual([
      null,
      null,
      null,
    ]);
    expect(savedItems.read().map(({ url }) => url)).toEqual(["/news/story-1", "/news/story-2"]);
  });

  it("puts a removed item back at its place", () => {
    for (const number of [1, 2, 3]) saveItem(item(number));
    const removed = removeItem("/news/story-2");
    expect(savedItems.read()).toHaveLength(2);
    if (removed) saveItem(removed);
    expect(savedItems.read().map(({ savedAt }) => savedAt)).toEqual([3, 2, 1]);
  });

  it("stores nothing once it is empty", () => {
    saveItem(item(1));
    removeItem("/news/story-1");
    expect(stored.size).toBe(0);
  });

  it("ignores what somebody else wrote into the storage", () => {
    const foreign = [
      "/\\evil.example",
      "/\t/evil.example",
      "//evil.example",
      "javascript:alert(1)",
    ];
    const broken = [
      ...foreign.map((url) => item(1, { url })),
      item(2, { savedAt: 1e300 }),
      item(3, { savedAt: -1 }),
      item(4),
      item(4),
      null,
    ];
    stored.set("saved.items", JSON.stringify(broken));
    expect(savedItems.read()).toEqual([item(4)]);
  });

  it("says that it is full instead of dropping an item", () => {
    const all = Array.from({ length: maxSavedItems }, (_, index) => item(index));
    stored.set("saved.items", JSON.stringify(all));
    expect(saveItem(item(9999))).toBe("list-full");
    expect(savedItems.read()).toHaveLength(maxSavedItems);
  });

  it("says that the browser does not store anything", () => {
    Object.defineProperty(globalThis, "localStorage", {
      configurable: true,
      get() {
        throw new Error("blocked");
      },
    });
    expect(saveItem(item(1))).toBe("not-stored");
    expect(savedItems.read()).toEqual([]);
  });

  it.each([
    ["text that is not JSON", "{"],
    ["another type", '"text"'],
    ["a link that runs a script", JSON.stringify([item(1, { url: "javascript:alert(1)" })])],
    ["a path of another host", JSON.stringify([item(1, { url: "//example.com" })])],
    ["an unknown kind", JSON.stringify([{ ...item(1), kind: "ad" }])],
    ["an item without a time", JSON.stringify([{ ...item(1), savedAt: null }])],
  ])("ignores %s in the storage", (_, text) => {
    stored.set("saved.items", text);
    expect(savedItems.read()).toEqual([]);
  });
});

describe("exports", () => {
  const items = [
    item(1, { title: 'Tom & "Jerry" <b>', savedAt: Date.UTC(2026, 10, 16, 12) }),
    item(2, {
      url: 'https://news.example/a?b=1&c="2"',
      title: "Two\nlines",
      kind: "headline",
      source: "The Banner",
      savedAt: Date.UTC(2026, 10, 15, 12),
    }),
  ];

  it("are a text file with title, source, date and full address", () => {
    expect(toTextFile(items, "https://city.example")).toBe(
      `Tom & "Jerry" <b>
Story, saved November 16, 2026
https://city.example/news/story-1

Two lines
Headline, The Banner, saved November 15, 2026
https://news.example/a?b=1&c="2"
`,
    );
  });

  it("are a bookmarks file that browsers import, with everything escaped", () => {
    const file = toBookmarksFile(items, "https://city.example", "Harborline <3");
    expect(file).toMatch(/^<!DOCTYPE NETSCAPE-Bookmark-file-1>\n/);
    expect(file).toContain("<H3>Harborline &lt;3</H3>");
    expect(file).toContain(
      '<DT><A HREF="https://city.example/news/story-1" ADD_DATE="1794830400">Tom &amp; &quot;Jerry&quot; &lt;b&gt;</A>\n',
    );
    expect(file).toContain(
      '<DT><A HREF="https://news.example/a?b=1&amp;c=&quot;2&quot;" ADD_DATE="1794744000">Two lines</A>\n',
    );
  });
});
