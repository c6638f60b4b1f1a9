import { expect, it } from "vitest";
import type { PageCopy } from "../page-copy.ts";
import { type Inventory, maxVisitedPages, planDeletions } from "./space.ts";

const page = (facts: Partial<PageCopy>): PageCopy => ({
  title: "",
  sentAt: 0,
  storedAt: 0,
  visitedAt: null,
  savedAt: null,
  images: [],
  bytes: 1_000_000,
  ...facts,
});
const inventory = (
  pages: Record<string, PageCopy>,
  others: Partial<Inventory> = {},
): Inventory => ({
  pages: new Map(Object.entries(pages)),
  images: new Map(),
  buildBytes: 500_000,
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
    images: [],
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
  expect(plan).toEqual({ pages: ["/news/0", "/news/1"], images: [], fits: true });
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
  const images = new Map([
    ["/art/old.svg", 900_000],
    ["/art/new.svg", 900_000],
    ["/art/unused.svg", 1],
  ]);
  expect(planDeletions(inventory(pages, { images }), 11_000_000)).toEqual({
    pages: ["/news/0", "/news/1"],
    images: ["/art/old.svg", "/art/unused.svg"],
    fits: true,
  });
});
