import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contrast } from "../../lib/look/colors.ts";
import { paint } from "../../lib/look/palette.ts";
import { lookFile } from "./look-file.server.ts";

const source = readFileSync("templates/city/brand.yaml", "utf8");
const parse = (from: string, to: string) => lookFile.parse(source.replace(from, to));

describe("the colors of a city", () => {
  it.each([
    ["inkSoft: { light", '"#4a5664"', '"#9aa4b0"', "colors.inkSoft.light"],
    ["onBandSoft", '"#bccad8"', '"#5a6a7a"', "colors.onBandSoft"],
    ["fieldLine, dark", '"#70839a"', '"#2b3e55"', "colors.fieldLine.dark"],
  ])("are refused if readers can hardly see them: %s", (_, from, to, field) => {
    const parsed = parse(from, to);
    const [problem] = parsed.ok ? [] : parsed.problems;
    const line = source.split("\n").findIndex((each) => each.includes(from)) + 1;
    expect(problem).toMatchObject({ field, line });
    expect(problem?.message).toMatch(
      /^has a contrast of [\d.]+:1 with \w+ \("#\w{6}"\) on (light|dark) pages, but .* needs [\d.]+:1: such as "#\w{6}"$/,
    );
    // What the message proposes is accepted.
    const fix = /such as ("#\w{6}")$/.exec(problem?.message ?? "")?.[1] ?? "";
    expect(parse(from, fix).ok).toBe(true);
  });

  it.each([
    ['"#e9b13c"', "#e9b13c", /in double quotes/],
    ['"#e9b13c"', '"gold"', /must be a color such as "#17487a", in quotes/],
    ["fonts: newsreader", "fonts: comic", /newsreader/],
  ])("must be written as colors and fonts that ship: %s → %s", (from, to, message) => {
    const parsed = parse(from, to);
    expect(parsed.ok ? "" : parsed.problems.map((each) => each.message).join()).toMatch(message);
  });

  it("replace the names in a stylesheet, and are stronger for readers who want more contrast", () => {
    const parsed = lookFile.parse(source);
    if (!parsed.ok) throw new Error("The template has a problem.");
    const { colors } = parsed.value;
    expect(paint("a{color:--city(ink);fill:--city(lamp)}", colors)).toBe(
      "a{color:light-dark(#15212f,#f0eadd);fill:#ff6a4d}",
    );
    const [, light = "", dark = ""] =
      /light-dark\((#\w+),(#\w+)\)/.exec(paint("--city-strong(accent)", colors)) ?? [];
    expect(contrast(light, "#ffffff")).toBeGreaterThanOrEqual(11);
    expect(contrast(dark, "#000000")).toBeGreaterThanOrEqual(11);
  });
});
