import { expect, it } from "vitest";
import { matchesQuery } from "./model.ts";

const entry = { id: "x", question: "What’s a “snowball”?", html: "<p>It’s shaved ice.</p>" };

it.each(["what's", "WHAT’S snowball", '"snowball"', "“snowball” it's", "shaved ice"])(
  "the question is found by %s",
  (query) => {
    expect(matchesQuery(entry, query)).toBe(true);
  },
);

it("a question without one of the words is not found", () => {
  expect(matchesQuery(entry, "what's hail")).toBe(false);
});
