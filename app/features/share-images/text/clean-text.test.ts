import { describe, expect, it } from "vitest";
import { cleanText, splitGraphemes } from "./clean-text.ts";

describe("a text that is drawn on a share image", () => {
  it.each([
    ["keeps ordinary text", "Café — “Łódź” & 50 % off", "Café — “Łódź” & 50 % off"],
    ["is on one line", " One\r\n\ttwo\u2028three\u00a0 four ", "One two three four"],
    ["has no control characters", "A\u0000B\u001b[31mC\u007f", "AB[31mC"],
    ["has no characters that reverse its direction", "abc\u202edef\u202c\u2066g\u2069", "abcdefg"],
    ["has no invisible characters", "a\u200bb\u00adc\ufeffd\u2060e\u3164", "abcde"],
    ["has no half emoji", "a\ud83eb\udd80c", "abc"],
    ["has at most four marks on a letter", `Z${"\u0310".repeat(200)}a`, `Z${"\u0310".repeat(4)}a`],
    ["keeps the parts of an emoji together", "👩🏽‍🚀 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣", "👩🏽‍🚀 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣"],
    ["has no hidden text in tags", "a\u{e0068}\u{e0069}b", "ab"],
    ["can be empty", "\u200b \u202e", ""],
  ])("%s", (_what, text, cleaned) => {
    expect(cleanText(text)).toBe(cleaned);
  });

  it("is cut at a limit, with an ellipsis", () => {
    const cleaned = cleanText("word ".repeat(10_000));
    expect(cleaned.length).toBeLessThanOrEqual(301);
    expect(cleaned).toMatch(/word…$/);
  });

  it("is divided only between what readers see as characters", () => {
    expect(splitGraphemes("é👨‍👩‍👧‍👦🇺🇸x")).toEqual(["é", "👨‍👩‍👧‍👦", "🇺🇸", "x"]);
  });
});
