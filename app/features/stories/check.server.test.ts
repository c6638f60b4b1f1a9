import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { wholeCity } from "../../../tests/support/whole-city.ts";
import { sectionsFile } from "../feeds/files.server.ts";
import { checkCategories, checkEntries, checkHiddenLinks } from "./check.server.ts";
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

it("an entry of a live story that is probably of the next day, or has no possible time, is reported", () => {
  const check = (text: string, settings = "live: true") =>
    checkEntries(createCity("History", text, settings));
  const appended = "## 17:00 Fire\n\n## 5:45 PM Smoke\n\n## 00:20 Fire is out";
  expect(check(appended)).toMatchObject([
    {
      file: "news/my-story.md",
      at: "## 00:20",
      message: expect.stringContaining("If it is of the next day, write ## 2026-10-27 00:20"),
      isNote: true,
    },
  ]);
  expect(check(`${appended.replace("00:20", "2026-10-27 00:20")}\n\n## 00:50 Over`)).toMatchObject([
    { at: "## 00:50", message: expect.stringContaining("2026-10-27 00:50") },
  ]);
  expect(check(`${appended}\n\n## 25:99 *Again*\n\n## 2026-13-01 9:00`)).toMatchObject([
    { at: "## 00:20" },
    { at: "## 25:99", message: expect.stringContaining("belongs to the entry above") },
    { at: "## 2026-13-01 9:00" },
  ]);
  expect(check("## 14:05 One\n\n### 14:15 Two\n\n### Background")).toMatchObject([
    { at: "### 14:15", message: expect.stringContaining("write ## 14:15"), isNote: true },
  ]);
  const newestFirst = "## 17:45 Smoke\n\n## 17:00 Fire\n\n## 9:00 Heat";
  for (const text of [
    newestFirst,
    "## 14:05 One\n\n## 13:50 Two",
    "## 3:16 pounds\n\n## Background",
  ])
    expect(check(text), text).toEqual([]);
  expect(check(appended, ""), "an ordinary story").toEqual([]);
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
