import { describe, expect, it } from "vitest";
import { newsFolder } from "./files.server.ts";

const file = newsFolder.file("my-story.md");
const parse = (title: string, extraFields = "") =>
  file.parse(`---
title: ${title}
excerpt: What it is about.
category: History
date: 2026-10-26
${extraFields}image: { file: arabber.svg, alt: A horse }
---
Text.
`);
const readRemarks = (title: string) => {
  const parsed = parse(title);
  if (!parsed.ok) throw new Error("The file was refused.");
  return file.remarks?.(parsed.value);
};

describe("the file of a story", () => {
  it("gets a remark, but is not refused, if its title is too long for two lines of a card", () => {
    expect(readRemarks("x".repeat(60))).toEqual([]);
    expect(readRemarks("x".repeat(61))).toEqual([
      expect.stringMatching(/^title: has 61 characters/),
    ]);
  });

  it("says which part of its photo is never cut off", () => {
    const parseFocus = (focus: string) =>
      file.parse(`---
title: A
excerpt: What it is about.
category: History
date: 2026-10-26
image:
  file: arabber.svg
  alt: A horse
  focus: ${focus}
---
Text.
`);
    expect(parseFocus("top")).toMatchObject({ value: { front: { image: { focus: "top" } } } });
    expect(parseFocus("face")).toMatchObject({
      problems: [
        {
          line: 9,
          field: "image.focus",
          message: expect.stringMatching(/^must be top, bottom, left, right or center: /),
        },
      ],
    });
  });

  it("says whether the story is a sample", () => {
    expect(parse("A")).toMatchObject({ value: { front: { sample: false } } });
    expect(parse("A", "sample: true\n")).toMatchObject({ value: { front: { sample: true } } });
    expect(parse("A", "sample: maybe\n")).toMatchObject({
      problems: [{ line: 6, field: "sample" }],
    });
  });
});
