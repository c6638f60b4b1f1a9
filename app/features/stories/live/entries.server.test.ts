import { expect, it } from "vitest";
import { renderMarkdown } from "../../../lib/text/markdown.server.ts";
import { newsFolder } from "../files.server.ts";
import { listEntries, readLiveStory, replaceEntry } from "./entries.server.ts";

const read = (live: string, text: string) => {
  const parsed = newsFolder.file("storm.md").parse(`---
title: The storm
excerpt: What we know.
category: Weather
date: 2026-11-18 13:00
${live}
---

${text}
`);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { front, html } = parsed.value;
  const source = { title: front.title, html, live: front.live ?? null, day: "2026-11-18" };
  return readLiveStory(source, "America/New_York");
};

const entries = `The **harbor** is closed.

## 14:05 Bridge closed

Since *two* o'clock.

## 2026-11-19 9:10 Bridge & road open

## Background

Still part of the entry above.

## 2:30 p.m.: Trains stop

## 2026-88-88 09:00 No such day

## 14:05

A second note of the same minute.
`;

it("a live story has a summary, and entries with the newest first, in any order of the file", () => {
  const live = read("live: true", entries);
  expect(live).toMatchObject({
    isLive: true,
    summary: expect.stringMatching(/^<p>The <strong>harbor<\/strong> is closed\.<\/p>\s*$/),
    lastWritten: "2026-11-19 09:10",
    entries: [
      {
        id: "at-2026-11-19-09-10",
        title: "Bridge & road open",
        time: { text: "November 19, 2026, 9:10 AM", iso: "2026-11-19T09:10:00-05:00" },
        html: expect.stringContaining("Background"),
      },
      { id: "at-14-30", title: "Trains stop", time: { text: "2:30 PM" } },
      { id: "at-14-05-2", title: "", html: expect.stringContaining("same minute") },
      { id: "at-14-05", title: "Bridge closed", html: expect.stringContaining("<em>two</em>") },
    ],
  });
  expect(live?.html).toContain('<h2 id="at-14-30">2:30 PM: Trains stop</h2>');
  expect(live?.html).toContain("Bridge &amp; road open");
});

it("no entry has the id of a heading in the text", () => {
  const live = read("live: true", "## At 14 05\n\nBefore.\n\n## 14:05 Bridge closed\n");
  expect(live?.summary).toContain('id="at-14-05"');
  expect(live?.entries).toMatchObject([{ id: "at-14-05-2" }]);
});

const list = (text: string) => {
  const { html } = renderMarkdown(text);
  const source = { title: "", html, text, live: true, day: "2026-11-18" };
  return listEntries(source, "America/New_York");
};

it("an entry is found as it is written, unless readers see other entries", () => {
  const [bridge, , second, first] = list(entries);
  expect(bridge).toMatchObject({
    time: "November 19, 2026, 9:10 AM",
    title: "Bridge & road open",
    text: "## Background\n\nStill part of the entry above.",
  });
  expect(second).toMatchObject({ title: "", text: "A second note of the same minute." });
  expect(first).toMatchObject({ title: "Bridge closed", text: "Since *two* o'clock." });
  expect(bridge && replaceEntry(entries, bridge, null)).toBe(
    entries.replace(/## 2026-11-19.*entry above\.\n\n/s, "").trimEnd(),
  );
  expect(list(`1. A list\n\n   ## 9:00 Ten\n\n## 2026-11-18 9:10 Nine\n\n- ## 9:20 Eight`)).toEqual(
    [],
  );
});

it.each([
  "```\n## 9:00 Code\n```",
  "~~~~ md\n## 9:00 Code\n~~~\n```\n## 9:05 More\n~~~~~",
  "  ```\n\n## 9:00 Code\n   `````  ",
  "``` `no code` ```",
])("a heading in code does not begin an entry, and the others can be edited: %j", (code) => {
  const text = `Summary.\n\n${code}\n\n## 14:05 Bridge closed\n\n${code}\n\n## 14:30 Trains stop`;
  expect(list(text)).toMatchObject([
    { title: "Trains stop", source: "## 14:30 Trains stop" },
    { title: "Bridge closed", text: code.trim() },
  ]);
  expect(list(`## 14:05 Bridge closed\n\n\`\`\`\n## 14:30 No end`)).toHaveLength(1);
});

it("a new version differs, and so does the last one", () => {
  const versions = [
    read("live: true", entries),
    read("live: true", `${entries}\n## 16:00 More`),
    read("live: false", entries),
  ].map((live) => live?.version);
  expect(new Set(versions).size).toBe(3);
});

it("without entries a live story has only a summary, and headings with times are ordinary text elsewhere", () => {
  expect(read("live: true", "We will report here.")).toMatchObject({ entries: [] });
  expect(read("live: false", "It is over.")).toBeNull();
  expect(read("", entries)).toBeNull();
});
