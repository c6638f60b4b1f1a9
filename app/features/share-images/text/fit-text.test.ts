import { describe, expect, it } from "vitest";
import { cleanText } from "./clean-text.ts";
import { fitLine, fitText } from "./fit-text.server.ts";
import { stacks } from "./fonts.server.ts";
import { shapeText } from "./shape-text.server.ts";

const { serif } = stacks.newsreader;

const box = {
  width: 528,
  height: 330,
  maxLines: 5,
  sizes: [96, 84, 72, 60, 48, 40],
  lineHeight: 1.1,
};
const fitTitle = (text: string) => fitText(cleanText(text), serif, box);
const ellipsis = shapeText("…", serif, "ltr").glyphs[0]?.layers;

describe("a title", () => {
  it("that is short has one line in the largest size", () => {
    expect(fitTitle("Jazz")).toMatchObject({ size: 96, lines: [{}] });
  });

  it("is smaller if it is longer", () => {
    const sizes = [
      "Crabs",
      "A Red Iron Lighthouse Came In From the Bay to Rest at Pier 5",
      "The City Council Votes Tonight on a Plan to Replace Every Lead Pipe in East Baltimore by 2031",
    ].map((title) => fitTitle(title).size);
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
    expect(new Set(sizes).size).toBe(3);
  });

  it.each([
    ["an ordinary one", "How White Marble Climbed to the Rowhouse Door"],
    ["one without a space", "a".repeat(500)],
    ["one of 10,000 characters", "long title ".repeat(910)],
    ["one with a very long word", `The ${"Donaudampfschiffahrt".repeat(4)} sails`],
    ["Hebrew", "חדשות מבולטימור ומהמפרץ ".repeat(20)],
    ["Arabic", "أخبار بالتيمور والخليج ".repeat(20)],
    ["emoji", "🦀".repeat(200)],
  ])("always fits: %s", (_what, title) => {
    const { size, lines } = fitTitle(title);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(5);
    expect(lines.length * size * box.lineHeight).toBeLessThanOrEqual(box.height);
    for (const { width } of lines) expect(width * size).toBeLessThanOrEqual(box.width + 1);
  });

  it("that does not fit in the smallest size ends with an ellipsis", () => {
    const { size, lines } = fitTitle("one more word ".repeat(40));
    expect(size).toBe(40);
    expect(lines.at(-1)?.glyphs.at(-1)?.layers).toBe(ellipsis);
    const hebrew = fitTitle("חדשות מבולטימור ".repeat(40));
    // The end of a line in Hebrew is at the left.
    expect(hebrew.lines.at(-1)?.glyphs[0]?.layers).toBe(ellipsis);
  });

  it("has lines of similar lengths", () => {
    const { lines } = fitTitle("How a Vacant Lot Grows Into a Garden, One Yes at a Time");
    const widths = lines.map(({ width }) => width);
    expect(Math.min(...widths)).toBeGreaterThan(0.6 * Math.max(...widths));
  });

  it("that is empty has no lines", () => {
    expect(fitTitle("").lines).toEqual([]);
    expect(fitTitle("螃蟹").lines).toEqual([]);
  });
});

it("a line is cut at the end of a word", () => {
  const { lines } = fitLine("Stone tables near the pagoda, Patterson Park", serif, {
    width: 300,
    size: 26,
  });
  expect(lines).toHaveLength(1);
  const [line] = lines;
  expect((line?.width ?? 0) * 26).toBeLessThanOrEqual(300);
  expect(line?.glyphs.at(-1)?.layers).toBe(ellipsis);
});
