import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { findInFile, inAnyText, inNames, inTechnicalText } from "./support/language.ts";

/** The list of rules and the glossary quote the words that they replace. */
const exceptions = /^docs\/glossary\.md$|^tests\/(?:support\/)?language/;
const textFiles = /\.(?:ts|tsx|css|md|ya?ml|sql|sh|conf|service)$|^newsroom$|^Containerfile$/;

const files = execFileSync("git", ["ls-files"], { encoding: "utf8" })
  .split("\n")
  .filter((path) => textFiles.test(path) && !exceptions.test(path));

it("no text and no name uses a word that the glossary has replaced", () => {
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((path) => findInFile(path, readFileSync(path, "utf8")))).toEqual([]);
});

it.each([...inAnyText, ...inTechnicalText])("the rule $pattern finds its example", (rule) => {
  expect(findInFile("docs/example.md", rule.example)).toContainEqual(
    expect.stringContaining(rule.instead),
  );
});

it.each(inNames)("the rule $pattern for names finds its example", (rule) => {
  expect(findInFile("app/example.ts", `const ${rule.example} = 1;`)).toContainEqual(
    expect.stringContaining(rule.instead),
  );
});

it.each([
  [
    "docs/example.md",
    "Once a day, the server sends about 1,000 requests per second for two hours.",
  ],
  ["sites/baltimore/news/example.md", "Whoever mends nets stands in the picture."],
  ["app/example.ts", "const maxShown = 1; // Why? So that as many as possible fit. Who knows?"],
])("ordinary sentences in %s are fine", (path, line) => {
  expect(findInFile(path, line)).toEqual([]);
});
