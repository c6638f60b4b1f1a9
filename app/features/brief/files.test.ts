import { describe, expect, it } from "vitest";
import { briefFile } from "./files.server.ts";

const parse = (...lines: string[]) => briefFile.parse(["facts:", ...lines].join("\n"));

describe("the facts of brief.yaml", () => {
  it("may link to another site or to one of our pages", () => {
    const fact = (url: string) =>
      parse(`  - { text: A fact, link: { label: More, url: "${url}" } }`);
    expect(fact("https://en.wikipedia.org/wiki/Baltimore").ok).toBe(true);
    expect(fact("/blog/harbor").ok).toBe(true);
    expect(fact("blog/harbor")).toMatchObject({
      problems: [{ line: 2, message: expect.stringContaining("or a page of this site") }],
    });
  });

  it("are refused if one is there twice", () => {
    expect(parse("  - text: Crabs walk.", "  - text: B", "  - text: crabs  walk.")).toMatchObject({
      problems: [{ line: 4, message: "is the same as entry 1 of facts: write each fact once" }],
    });
  });

  it.each(["A <b>bold</b> fact", "A **bold** fact", "See [this](https://x.example)", "B&amp;O"])(
    "are plain text, so there is a note about: %s",
    (text) => {
      const parsed = parse(`  - text: "${text}"`, "  - text: B&O, 5 < 6, 2 * 3 (really)");
      expect(parsed.ok && briefFile.remarks?.(parsed.value)).toEqual([
        expect.stringContaining(`"${text}`),
      ]);
    },
  );
});
