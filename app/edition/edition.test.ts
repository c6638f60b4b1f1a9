import { describe, expect, it } from "vitest";
import { carryInPage } from "./carry-edition.server.ts";
import { carryEdition, chooseEdition, linkToEdition } from "./edition.ts";

describe("the edition of a page", () => {
  it.each([
    ["", undefined, "ordinary"],
    ["", "on", "light"],
    ["", " On ", "light"],
    ["", "off", "ordinary"],
    ["edition=light", undefined, "light"],
    ["edition=light", "on", "light"],
    ["edition=full", "on", "full"],
    ["edition=full", undefined, "ordinary"],
    ["edition=huge", undefined, "ordinary"],
    ["edition=huge", "on", "light"],
    ["edition=", "on", "light"],
  ])("for ?%s and Save-Data: %s is %s", (query, saveData, edition) => {
    expect(chooseEdition(new URLSearchParams(query), saveData)).toBe(edition);
  });

  it("can be changed without losing the filters of the page", () => {
    expect(linkToEdition("?q=a%26b&edition=light", "full")).toBe("?q=a%26b&edition=full");
    expect(linkToEdition("", "light")).toBe("?edition=light");
  });
});

const isPage = (path: string) => !path.includes(".");

describe("a link", () => {
  it.each([
    ["/", "/?edition=light"],
    ["/news/rain#comments", "/news/rain?edition=light#comments"],
    ["/events?category=music&page=2", "/events?category=music&page=2&edition=light"],
    ["?page=2", "?page=2&edition=light"],
    ["/news?", "/news?&edition=light"],
  ])("to the page %s carries the edition", (href, carried) => {
    expect(carryEdition(href, "light", isPage)).toBe(carried);
  });

  it.each([
    "#main",
    "",
    "/feeds/news.xml",
    "/news?edition=full",
    "?edition=full",
    "https://example.org/news",
    "//example.org/news",
    "/\\example.org/news",
    "mailto:a@example.org",
    "javascript:alert(1)",
    " /news",
  ])("to %j does not change", (href) => {
    expect(carryEdition(href, "light", isPage)).toBe(href);
  });
});

describe("the full edition for a reader with Save-Data", () => {
  it("is the ordinary page, except that its links and forms carry the edition", () => {
    const page = [
      '<!DOCTYPE html><body class="a"><!-- --><a class="b" href="/news?a=1&amp;b=2">News</a>',
      '<a href="/feeds/news.xml">RSS</a><img src="/art/a.svg"/>',
      '<form action="/newsletter" method="post"><input name="email"/></form>',
      '<form action="/search" method="get"><input name="q"/></form>',
      '<script>"<a href=\\"/news\\">"</script><p>Fish &amp; <em>chips</em></p></body>',
    ].join("\n");
    expect(carryInPage(page, "full", isPage)).toBe(
      page
        .replace("/news?a=1&amp;b=2", "/news?a=1&amp;b=2&amp;edition=full")
        .replace("/newsletter", "/newsletter?edition=full")
        .replace(
          '<form action="/search" method="get">',
          '<form action="/search" method="get"><input type="hidden" name="edition" value="full">',
        ),
    );
  });
});
