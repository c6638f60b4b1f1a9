import { expect, it } from "vitest";
import { matchesEtag } from "./if-none-match.server.ts";

it.each([
  [null, false],
  ["", false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ["*", true],
  ['"b"', false],
  ['"a', false],
  ['"xa"', false],
])('If-None-Match: %s, for the ETag "a": %s', (header, isListed) => {
  expect(matchesEtag(header, '"a"')).toBe(isListed);
});
