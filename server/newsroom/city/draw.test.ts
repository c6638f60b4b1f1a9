import { expect, it } from "vitest";
import { testLook } from "../../../tests/support/look.ts";
import { recolor } from "./draw.ts";

const { colors } = testLook;
const shade = (color: string) => ({ light: color, dark: color });
const other = { ...colors, band: shade("#123a33"), highlight: shade("#f0a45d") };

it("a drawing gets the colors of a city, and keeps those of wood and leaves", () => {
  const drawing = `<path fill="${colors.band.light}"/><path fill="${colors.highlight.light}"/>`;
  const nature = '<path fill="#8a5a34"/><path fill="#4c7459"/>';
  expect(recolor(drawing + nature, colors, other)).toBe(
    `<path fill="#123a33"/><path fill="#f0a45d"/>${nature}`,
  );
  expect(recolor(drawing + nature, colors, colors)).toBe(drawing + nature);
});
