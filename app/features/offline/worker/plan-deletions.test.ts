import { expect, it } from "vitest";
import type { PageCopy } from "../page-copy.ts";
import { type Inventory, maxVisitedPages, planDeletions } from "./plan-deletions.ts";

const page = (facts: Partial<PageCopy>): PageCopy => ({
  title: "",
  sentAt: 0,
  storedAt: 0,
  visitedAt: null,
  savedAt: null,
  build: "b1",
  images: [],
  bytes: 1_000_000,
  ...facts,
});
const inventory = (
  pages: Record<string, PageCopy>,
  others: Partial<Inventory> = {},
): Inventory => ({
  pages: new Map(Object.entries(pages)),
  files: new Map([["/assets/b1.js", 500_000]]),
  builds: new Map([["b1", ["/assets/b1.js"]]]),
  buildsInUse: new Set(["b1"]),
  ...others,
});
const visited = (count: number, bytes: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `/news/${index}`,
      page({ visitedAt: index, bytes }),
    ]),
  );

it("deletes nothing while everything fits", () => {
  expect(planDeletions(inventory(visited(10, 1_000)))).toEqual({
    pages: [],
    files: [],
    fits: true,
  });
});

it("stores the last 50 visited pages", () => {
  const { pages } = planDeletions(inventory(visited(maxVisitedPages + 2, 1_000)));
  expect(pages).toEqual(["/news/0", "/news/1"]);
});

it("deletes the pages visited longest ago first, and never saved pages", () => {
  const pages = {
    ...visited(10, 1_000_000),
    "/news/saved": page({ savedAt: 1, visitedAt: 0 }),
    "/": page({}),
  };
  const plan = planDeletions(inventory(pages), 4_000_000);
  expect(plan).toEqual({ pages: ["/news/0", "/news/1"], files: [], fits: true });
  const savedPages = Object.fromEntries(
    Array.from({ length: 14 }, (_, index) => [`/news/${index}`, page({ savedAt: index })]),
  );
  expect(planDeletions(inventory(savedPages), 4_000_000)).toMatchObject({ pages: [], fits: false });
});

it("deletes images after the visited pages, those of the oldest saved page first", () => {
  const pages = {
    ...visited(2, 1_000_000),
    "/news/old": page({ savedAt: 1, images: ["/art/old.svg"] }),
    "/news/new": page({ savedAt: 2, images: ["/art/new.svg"] }),
  };
  const files = new Map([
    ["/assets/b1.js", 500_000],
    ["/art/old.svg", 900_000],
    ["/art/new.svg", 900_000],
  ]);
  expect(planDeletions(inventory(pages, { files }), 11_000_000)).toEqual({
    pages: ["/news/0", "/news/1"],
    files: ["/art/old.svg"],
    fits: true,
  });
});

it("deletes images and builds that nothing needs anymore", () => {
  const files = new Map([
    ["/assets/both.js", 1],
    ["/assets/b0.js", 1],
    ["/assets/b1.js", 1],
    ["/assets/b2.js", 1],
    ["/art/unused.svg", 1],
  ]);
  const builds = new Map([
    ["b0", ["/assets/both.js", "/assets/b0.js"]],
    ["b1", ["/assets/both.js", "/assets/b1.js"]],
    ["b2", ["/assets/both.js", "/assets/b2.js"]],
  ]);
  const others = { files, builds, buildsInUse: new Set(["b2"]) };
  const plan = planDeletions(inventory({ "/news/1": page({ build: "b1" }) }, others));
  expect(plan.files).toEqual(["/assets/b0.js", "/art/unused.svg"]);
});
