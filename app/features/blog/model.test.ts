import { describe, expect, it } from "vitest";
import { describeDates } from "../../lib/article-dates.ts";
import { isUsableSlug, safeUrl } from "./contract.ts";
import { domainOf, pageButtons, pageCount, pageNumber } from "./model.ts";
import { postPath } from "./paths.ts";

const buttons = (total: number, page: number) =>
  pageButtons(page, pageCount(total))
    .map((button) => (button === "gap" ? "…" : button))
    .join(" ");

describe("the page buttons", () => {
  it.each([
    [0, 1, ""],
    [9, 1, "1"],
    [10, 1, "1"],
    [11, 1, "1 2"],
    [11, 2, "1 2"],
    [51, 1, "1 2 3 4 5 6"],
    [51, 3, "1 2 3 4 5 6"],
    [51, 4, "1 2 3 4 5 6"],
    [51, 6, "1 2 3 4 5 6"],
    [95, 1, "1 2 3 4 5 … 10"],
    [95, 4, "1 2 3 4 5 6 … 10"],
    [95, 5, "1 … 3 4 5 6 7 … 10"],
    [95, 7, "1 … 5 6 7 8 9 10"],
    [95, 10, "1 … 6 7 8 9 10"],
    [230, 12, "1 … 10 11 12 13 14 … 23"],
  ])("for %i posts on page %i are %s", (total, page, shown) => {
    expect(buttons(total, page)).toBe(shown);
  });
});

describe("the page parameter", () => {
  it("means the first page if it is not a page number", () => {
    for (const parameter of [null, "", "0", "-1", "1.5", "abc", "1e3", "99999999", "٣"])
      expect(pageNumber(parameter)).toBe(1);
    expect(pageNumber("12")).toBe(12);
  });
});

describe("the domain of a host", () => {
  it.each([
    ["WWW.Baltimore.Example:8080", "baltimore.example"],
    ["www.www.example", "www.example"],
    ["localhost:3000", "localhost"],
    ["wwwbaltimore.example", "wwwbaltimore.example"],
  ])("%s is %s", (host, domain) => {
    expect(domainOf(host)).toBe(domain);
  });
});

describe("a post's date", () => {
  it.each([
    ["2026-11-15", "November 15, 2026"],
    ["2026-11-15T03:30:00Z", "November 14, 2026"],
    ["2026-11-15T23:30:00-05:00", "November 15, 2026"],
    ["2026-11-15T00:30:00", "November 15, 2026"],
    ["2026-11-15 23:30", "November 15, 2026"],
    ["November 15, 2026", "November 15, 2026"],
    ["soon", null],
    ["", null],
  ])("%s is shown as %s in Baltimore", (date, shown) => {
    const dates = describeDates({ date, corrections: [] }, "America/New_York", new Date());
    expect(dates?.published.text ?? null).toBe(shown);
  });
});

describe("the slug of an external post", () => {
  it.each([
    ["a-post", "/blog/a-post"],
    ["Über uns & mehr?", "/blog/%C3%9Cber%20uns%20%26%20mehr%3F"],
    ["2026/11/a#b", "/blog/2026%2F11%2Fa%23b"],
    ["日本", "/blog/%E6%97%A5%E6%9C%AC"],
  ])("%s is part of the path %s", (slug, path) => {
    expect(isUsableSlug(slug)).toBe(true);
    expect(postPath(slug)).toBe(path);
  });

  it.each([
    "",
    ".",
    "..",
    "a/../b",
    "/a",
    "a//b",
    "a\\b",
    "a\nb",
    "\ud800",
    "a.data",
    "a".repeat(201),
  ])("%j cannot be part of a path", (slug) => {
    expect(isUsableSlug(slug)).toBe(false);
  });
});

describe("a link in a post", () => {
  it("must be an http or https URL", () => {
    expect(safeUrl(" https://a.example/x.png ")).toBe("https://a.example/x.png");
    for (const bad of ["javascript:alert(1)", "data:text/html,x", "//a.example", "/x", "", null, 7])
      expect(safeUrl(bad)).toBeNull();
  });
});
