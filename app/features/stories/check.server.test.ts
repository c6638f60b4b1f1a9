import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { wholeCity } from "../../../tests/support/whole-city.ts";
import { sectionsFile } from "../feeds/files.server.ts";
import { checkCategories, checkHiddenLinks } from "./check.server.ts";
import { newsFolder } from "./files.server.ts";

/** The shipped sections, and a story of this category. */
function createCity(category: string, text = "Text.", settings = "") {
  const sections = sectionsFile.parse(readFileSync("sites/baltimore/sections.yaml", "utf8"));
  const story = newsFolder.file("my-story.md").parse(`---
title: A title
excerpt: What it is about.
category: ${category}
date: 2026-10-26
image: { file: arabber.svg, alt: A horse }
${settings}
---
${text}
`);
  if (!sections.ok || !story.ok) throw new Error("A file was refused.");
  return {
    siteFolder: "",
    origin: undefined,
    read: () => sections.value as never,
    ...wholeCity,
    readAll: () => [story.value] as never[],
    names: () => [],
    values: new Map(),
    services: async () => null,
  };
}

it("a category that no section shows gets a note, and all others do not", async () => {
  for (const category of ["History", "environment", "Sports", "Real Estate", "local news"])
    expect(await checkCategories(createCity(category)), category).toEqual([]);
  expect(await checkCategories(createCity("Nightlife"))).toMatchObject([
    {
      file: "news/my-story.md",
      field: "category",
      message: expect.stringContaining("is Nightlife, which no section's page shows"),
      isNote: true,
    },
  ]);
});

it("a mistyped category is a mistake, not only a note", async () => {
  expect(await checkCategories(createCity("Enviroment"))).toMatchObject([
    { message: expect.stringContaining("Did you mean `Environment`?"), isNote: false },
  ]);
});

it("links in published stories to stories that readers do not see get a note", async () => {
  const read = (name: string, settings: string, text: string) => {
    const file = newsFolder.file(`${name}.md`).parse(`---
title: A title
excerpt: What it is about.
category: History
date: 2026-10-26
image: { file: arabber.svg, alt: A horse }
${settings}
---
${text}
`);
    if (!file.ok) throw new Error("A file was refused.");
    return file.value as never;
  };
  const text = "[One](/news/secret), [two](/news/later#end), [three](/news/old).";
  const city = {
    ...createCity("History"),
    readAll: () => [
      read("my-story", "", text),
      read("secret", "draft: true", text),
      read("later", "", text),
      read("old", "", "Text."),
    ],
  };
  expect(await checkHiddenLinks(city)).toMatchObject([
    { file: "news/my-story.md", at: "/news/secret", isNote: true },
    { file: "news/later.md", at: "/news/secret" },
  ]);
});
