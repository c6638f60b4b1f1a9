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
});
