import { expect, it } from "vitest";
import { findRedirect, redirectsFile } from "./files.server.ts";

const parse = (source: string) => redirectsFile.parse(source);
const readMessages = (source: string) => {
  const parsed = parse(source);
  return parsed.ok
    ? []
    : parsed.problems.map(({ line, field, message }) => `${line} ${field} ${message}`);
};

it("a file with only comments has no redirects", () => {
  expect(parse("# Nothing yet.\n")).toEqual({ ok: true, value: {} });
  expect(parse("")).toEqual({ ok: true, value: {} });
});

it("an old path leads to a new path or is gone, and all others are unknown", () => {
  const parsed = parse("/news/old: /news/new\n/offer: gone\n");
  if (!parsed.ok) throw new Error("The file was refused.");
  expect(findRedirect(parsed.value, "/news/old")).toBe("/news/new");
  expect(findRedirect(parsed.value, "/offer")).toBe("gone");
  expect(findRedirect(parsed.value, "/constructor")).toBeNull();
  expect(findRedirect(parsed.value, "constructor")).toBeNull();
});

it("paths are compared as browsers send them", () => {
  const parsed = parse('/news/café: /news/日本\n"/a b": gone\n');
  expect(parsed).toMatchObject({ ok: false });
  const encoded = parse("/news/café: /news/日本\n");
  expect(encoded).toEqual({
    ok: true,
    value: { "/news/caf%C3%A9": "/news/%E6%97%A5%E6%9C%AC" },
  });
});

it.each([
  "//evil.example",
  "/\\\\evil.example",
  "/x/..//evil.example",
  "/../x",

  "Gone",
])("a line that leads to %s is refused", (target) => {
  expect(readMessages(`/a: "${target}"\n`)).toEqual([
    expect.stringMatching(/^1 \/a must lead to a page of this site/),
  ]);
});

it("an old path with a slash at its end is refused, because no request has it", () => {
  expect(readMessages("/news/a/: /about\n")).toEqual(["1 /news/a/ must not end with a slash"]);
});

it("circles, chains and other sites are refused, with the line and the correction", () => {
  expect(readMessages("/a: /b\n/b: /a\n")).toEqual([
    expect.stringMatching(/^1 \/a goes in a circle/),
    expect.stringMatching(/^2 \/b goes in a circle/),
  ]);
  expect(readMessages("/self: /self\n")).toEqual([expect.stringContaining("goes in a circle")]);
  expect(readMessages("/a: /b\n/b: /about\n")).toEqual([
    "1 /a leads to /b, which is redirected too: write /about here",
  ]);
  expect(readMessages("/a: /b\n/b: gone\n")).toEqual([expect.stringContaining("write gone here")]);
  expect(readMessages("/a: https://elsewhere.example/\n")).toEqual([
    "1 /a must lead to a page of this site, such as /news/new-name, or to gone if no page replaces it",
  ]);
  expect(readMessages("old: /new\n")).toEqual([
    "1 old must be a path of this site, such as /news/old-name",
  ]);
});
