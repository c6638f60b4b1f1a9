import { describe, expect, it } from "vitest";
import { noPhoto } from "../../site-files/site-fields.server.ts";
import { newsFolder } from "./files.server.ts";
import { isPublished, newestFirst, recordFromFile, toStory } from "./record.server.ts";
import { pickStories } from "./stories.server.ts";

const timeZone = "America/New_York";
const now = new Date("2026-11-15T17:00:00Z");

function story(id: string, settings: string[]) {
  const parsed = newsFolder.file(`${id}.md`).parse(`---
title: Story ${id}
excerpt: What it is about.
category: History
image: { file: arabber.svg, alt: A horse }
${settings.join("\n")}
---
${"word ".repeat(460)}
`);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return recordFromFile(parsed.value, timeZone);
}

describe("the front page picks", () => {
  const stories = [
    story("january", ["date: 2026-01-01"]),
    story("march", ["date: 2026-03-01"]),
    story("february", ["date: 2026-02-01"]),
    story("april", ["date: 2026-04-01"]),
  ];
  const pickIds = (...args: Parameters<typeof pickStories>) =>
    pickStories(...args).map(({ slug }) => slug);

  it("the listed stories first, then the newest stories that the page does not show yet", () => {
    expect(pickIds(stories, ["february", "gone", "january"], 3)).toEqual([
      "february",
      "january",
      "april",
    ]);
    expect(pickIds(stories, [], 3, ["april"])).toEqual(["march", "february", "january"]);
    expect(pickIds(stories, ["april", "january"], 2, ["april"])).toEqual(["january", "march"]);
    expect(pickIds(stories.slice(0, 1), ["april"], 3)).toEqual(["january"]);
    expect(pickIds([], ["april"], 3)).toEqual([]);
  });

  it("each image once", () => {
    const other = { ...story("may", ["date: 2026-05-01"]), image: { ...noPhoto, file: "b.svg" } };
    const files = pickStories([...stories, other], [], 3).map(({ image }) => image.file);
    expect(files).toEqual(["b.svg", "arabber.svg", ""]);
  });

  it("pinned stories before newer ones, and samples last, even if they are pinned or listed", () => {
    const more = [
      ...stories,
      story("pinned", ["date: 2025-12-01", "pinned: true"]),
      story("sample", ["date: 2026-05-01", "pinned: true", "sample: true"]),
    ];
    expect(pickIds(more, [], 6)).toEqual([
      "pinned",
      "april",
      "march",
      "february",
      "january",
      "sample",
    ]);
    expect(pickIds(more, ["sample", "march"], 2)).toEqual(["march", "pinned"]);
  });
});

describe("a story", () => {
  it("is published at its minute in the city, and never while it is a draft", () => {
    const at = (instant: string, settings: string[]) =>
      isPublished(story("a", settings), new Date(instant));
    expect(at("2026-11-15T23:29:59Z", ["date: 2026-11-15 18:30"])).toBe(false);
    expect(at("2026-11-15T23:30:00Z", ["date: 2026-11-15 18:30"])).toBe(true);
    expect(at("2026-11-15T04:59:59Z", ["date: 2026-11-15"])).toBe(false);
    expect(at("2026-11-15T05:00:00Z", ["date: 2026-11-15"])).toBe(true);
    expect(at("2026-11-15T05:00:00Z", ["date: 2026-11-15", "draft: true"])).toBe(false);
  });

  it("is older than a story of the same day with a later time", () => {
    const records = [
      story("b", ["date: 2026-11-14"]),
      story("c", ["date: 2026-11-14 09:00"]),
      story("a", ["date: 2026-11-14"]),
    ];
    expect(records.sort(newestFirst).map(({ slug }) => slug)).toEqual(["c", "b", "a"]);
  });

  it("says when it was updated if that is more than an hour after it was published", () => {
    const updated = (settings: string[]) =>
      toStory(story("a", settings), timeZone, now).updated?.text;
    expect(updated(["date: 2026-11-14 09:00", "updated: 2026-11-14 10:00"])).toBeUndefined();
    expect(updated(["date: 2026-11-14 09:00", "updated: 2026-11-14 10:01"])).toBe(
      "November 14, 2026, 10:01 AM",
    );
    expect(
      updated(["date: 2026-11-10", 'corrections: [{ date: 2026-11-12, text: "It was red." }]']),
    ).toBe("November 12, 2026");
    // A date that is still to come changes nothing yet.
    expect(updated(["date: 2026-11-10", "updated: 2026-11-20"])).toBeUndefined();
  });

  it("has its authors, corrections with the newest first, and its reading time", () => {
    const shown = toStory(
      story("a", [
        "date: 2026-11-10",
        "author: [Ada Byrd, Sam Cole]",
        "corrections:",
        "  - { date: 2026-11-11, text: First }",
        "  - { date: 2026-11-12 08:00, text: Second }",
      ]),
      timeZone,
      now,
    );
    expect(shown).toMatchObject({
      authors: ["Ada Byrd", "Sam Cole"],
      readingMinutes: 2,
      published: { iso: "2026-11-10", text: "November 10, 2026" },
      corrections: [
        { date: { iso: "2026-11-12T08:00:00-05:00" }, text: "Second" },
        { date: { iso: "2026-11-11" }, text: "First" },
      ],
    });
  });
});
