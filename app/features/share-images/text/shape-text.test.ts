import { describe, expect, it } from "vitest";
import { openTypeface, stacks } from "./fonts.server.ts";
import { drawableText, findDirection, shapeText } from "./shape-text.server.ts";

const { serif } = stacks.newsreader;

const outlinesOf = (text: string, direction: "ltr" | "rtl" = "ltr") =>
  shapeText(text, serif, direction).glyphs.map(({ layers }) =>
    layers.map(({ outline }) => outline).join(),
  );

/** Reads the characters of a shaped line from left to right, by comparing their outlines. */
function readFromLeft(text: string, direction: "ltr" | "rtl" = "ltr"): string {
  const characters = new Map(
    Array.from(new Set(text)).map((character) => [outlinesOf(character).join(), character]),
  );
  return outlinesOf(text, direction)
    .map((outline) => characters.get(outline) ?? "?")
    .join("");
}

/** What fonts draw in place of a character that they do not have. */
const missing = new Set(
  serif.map((name) => openTypeface(name).shape("\u{10fffe}", false)[0]?.layers[0]?.outline),
);
missing.delete("");

describe("the letters of a line", () => {
  it.each([
    ["English", "abc def", "ltr", "abc def"],
    ["Hebrew", "אבג דהו", "rtl", "והד גבא"],
    ["Hebrew in an English line", "ab אבג דהו cd", "ltr", "ab והד גבא cd"],
    ["English in a Hebrew line", "אב cd ef גה", "rtl", "הג cd ef בא"],
    ["a number in a Hebrew line", "אב 2026 גה", "rtl", "הג 2026 בא"],
    ["an emoji between Hebrew words", "x אב 🦀 גה", "ltr", "x הג 🦀 בא"],
  ] as const)("are in the right order: %s", (_what, text, direction, fromLeft) => {
    expect(readFromLeft(text, direction)).toBe(fromLeft);
  });

  it("mirror brackets in text from right to left", () => {
    const hebrewFont = openTypeface("hebrew");
    const [opening] = hebrewFont.shape("(", false);
    const [closing] = hebrewFont.shape(")", false);
    const { glyphs } = shapeText("(אב)", serif, "rtl");
    expect([glyphs[0]?.layers, glyphs.at(-1)?.layers]).toEqual([opening?.layers, closing?.layers]);
  });

  it("are joined in Arabic", () => {
    const { width: separate } = shapeText("ب ب ب", serif, "rtl");
    const { width: joined } = shapeText("ببب", serif, "rtl");
    expect(joined).toBeLessThan(0.7 * separate);
    // Spacing would tear the letters of a word apart.
    expect(shapeText("ببب", serif, "rtl", 0.5).width).toBe(joined);
  });

  it.each([
    "Zażółć gęślą jaźń, Šárka Ðurić",
    "Tiếng Việt ở Baltimore",
    "Новости Балтимора: Київ, Љубав",
    "Ελλάδα και Βαλτιμόρη",
    "חֲדָשׁוֹת מִבּוֹלְטִימוֹר",
    "أخبار بالتيمور، ۱۲۳ پنجشنبه ٹیکنالوجی",
    "🦀 👩🏽‍🚀 👨‍👩‍👧‍👦 🇺🇸 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ ❤️ ☀",
    "€ £ ₪ ½ ⅔ ° № “quoted” ‘single’ …",
  ])("all have a shape: %s", (text) => {
    expect(drawableText(text, serif)).toBe(text);
    const outlines = shapeText(text, serif, findDirection(text)).glyphs.flatMap(({ layers }) =>
      layers.map(({ outline }) => outline),
    );
    expect(outlines.filter((outline) => missing.has(outline))).toEqual([]);
  });

  it("include each emoji in color, as one glyph", () => {
    for (const emoji of ["🦀", "👩🏽‍🚀", "👨‍👩‍👧‍👦", "🇺🇸", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣"]) {
      const { glyphs } = shapeText(emoji, serif, "ltr");
      const drawn = glyphs.filter(({ layers }) => layers.some(({ color }) => color !== null));
      expect(drawn, emoji).toHaveLength(1);
    }
  });

  it("are left out if no font has them, and replaced if there are equivalent ones", () => {
    expect(drawableText("Crabs 螃蟹 𝗶𝗻 ｔｏｗｎ 한국", serif)).toBe("Crabs in town");
    expect(drawableText("螃蟹", serif)).toBe("");
  });
});

it("the direction of a text is that of its first letter", () => {
  expect(findDirection("🦀 2026 שלום abc")).toBe("rtl");
  expect(findDirection("🦀 2026 abc שלום")).toBe("ltr");
  expect(findDirection("2026")).toBe("ltr");
});
