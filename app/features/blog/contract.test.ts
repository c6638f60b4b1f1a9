import { describe, expect, it } from "vitest";
import { parseList, parsePost, UnusableResponse } from "./contract.ts";

const post = {
  metaTitle: "A walk",
  metaDescription: "Along the water.",
  date: "2026-11-01",
  domain: "sister.example",
  pinterestImageLink: "https://pins.example/p.png",
  blog: "Text",
  shortTailKeywords: "walk",
  longTailKeywords: null,
  youtubeShortsUrl: "",
};
const noNotes = { author: [], updated: null, corrections: [] };
const parseItems = (body: unknown) => parseList(body, (item) => item);

describe("the list of a backend", () => {
  it("is read without the entries that cannot have a page", () => {
    const entries = [{ id: 7, slug: "a-walk", ...post }, null, 5, {}, { slug: "../status" }];
    expect(parseItems({ blogs: entries, total: "12" })).toEqual({
      items: [
        {
          id: "7",
          slug: "a-walk",
          metaTitle: "A walk",
          metaDescription: "Along the water.",
          pinterestImageLink: "https://pins.example/p.png",
        },
      ],
      total: 12,
    });
  });

  it.each([
    [undefined, 0],
    ["many", 0],
    [-3, 0],
    [2.7, 2],
    [1e300, 1_000_000],
  ])("has a usable total if the backend sends %j", (sent, total) => {
    expect(parseItems({ blogs: [], total: sent })).toEqual({ items: [], total });
  });

  it("cannot be used if it has no posts in it", () => {
    for (const body of [null, "", [], { blogs: {} }])
      expect(() => parseItems(body)).toThrow(UnusableResponse);
  });
});

describe("the post of a backend", () => {
  it("may have only the fields of the contract", () => {
    expect(parsePost(post)).toEqual({ ...post, ...noNotes, id: "", youtubeShortsUrl: null });
    expect(parsePost(null)).toBeNull();
  });

  it("may have the authors and corrections of another Harborline site", () => {
    const corrections = [{ date: "2026-11-02", text: "It is right now." }];
    const notes = { author: ["Ada Byrd"], updated: "2026-11-02", corrections };
    expect(parsePost({ ...post, ...notes })).toMatchObject(notes);
    expect(parsePost({ ...post, author: "Ada", updated: {}, corrections: [1] })).toMatchObject(
      noNotes,
    );
  });

  it("has no unsafe link, and no endless title", () => {
    const hostile = {
      ...post,
      pinterestImageLink: "javascript:x()",
      metaTitle: "Crab ".repeat(999),
    };
    const parsed = parsePost(hostile);
    expect(parsed).toMatchObject({ pinterestImageLink: null });
    expect(parsed?.metaTitle).toMatch(/^Crab (?:Crab ){50,58}Crab…$/);
  });

  it("cannot be used without a title", () => {
    for (const body of ["", [], {}, { ...post, metaTitle: null }])
      expect(() => parsePost(body)).toThrow(UnusableResponse);
  });
});
