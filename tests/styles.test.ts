import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const readFiles = (pattern: string) =>
  globSync(pattern).map((path) => ({ path, text: readFileSync(path, "utf8") }));

const withoutComments = (css: string) => css.replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, "");

/** All our stylesheets, except the tokens. */
const stylesheets = readFiles("app/**/*.css")
  .filter(({ path }) => !path.endsWith("tokens.css"))
  .map(({ path, text }) => ({ path, text: withoutComments(text) }));
const code = readFiles("{app,server}/**/*.{ts,tsx}")
  .filter(({ path }) => !path.includes(".test."))
  .map(({ text }) => text)
  .join("\n");

/** Names that a component completes, as in `save-place-${look}`. */
const completedNames = [...code.matchAll(/([a-z][\w-]*-)\$\{/g)].map(([, start]) => start ?? "");

/** Returns the declarations of a stylesheet as [property, value]. */
const listDeclarations = (css: string) =>
  [...css.matchAll(/([\w-]+):\s([^;{}]+);/g)].map(
    ([, property = "", value = ""]) => [property, value] as const,
  );

const isOnScale = (rem: string) => Number.isInteger(Number(rem) * 8);
const spaceProperties = /^(?:padding|margin|gap|row-gap|column-gap)/;

it("has no text size in a component that is not a token", () => {
  expect(code.match(/\btext-\[[^\]]*\d[^\]]*\]/g)).toBeNull();
});

describe.each(stylesheets)("$path", ({ text }) => {
  it("styles only classes that the code uses", () => {
    const names = [...text.matchAll(/([^{};]+)\{/g)].flatMap(([, selector = ""]) =>
      [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = ""]) => name),
    );
    const unused = names.filter(
      (name) =>
        !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(code) &&
        !completedNames.some((start) => name.startsWith(start)),
    );
    expect(unused).toEqual([]);
  });

  it("takes colors from the tokens, except the black of shadows", () => {
    const declarations = listDeclarations(text).filter(([property]) => !property.startsWith("--"));
    const ownColor = /#[0-9a-f]{3,8}\b|rgb\((?!0 0 0)/i;
    expect(declarations.filter(([, value]) => ownColor.test(value))).toEqual([]);
  });

  it("takes text sizes from the tokens, also the limits of those that grow with the screen", () => {
    const sizes = listDeclarations(text).filter(([property]) => /^font(?:-size)?$/.test(property));
    expect(sizes.filter(([, value]) => /\d(?:rem|px|pt)\b/.test(value))).toEqual([]);
  });

  it("has spaces in steps of 0.125rem", () => {
    const spaces = listDeclarations(text).filter(([property]) => spaceProperties.test(property));
    const others = spaces.filter(([, value]) =>
      [...value.matchAll(/(?<![\w.])([\d.]+)rem/g)].some(([, rem = ""]) => !isOnScale(rem)),
    );
    expect(others).toEqual([]);
  });
});

it("has no color in the code: all colors are in the city's brand.yaml", () => {
  const colored = readFiles("{app,server,db,cli}/**/*.{ts,tsx,css}")
    .filter(({ path }) => !path.includes(".test."))
    .flatMap(({ path, text }) =>
      // Black and white are not colors of a city, and this one is the example in a message.
      (withoutComments(text).match(/#[0-9a-f]{3}(?:[0-9a-f]{3})?\b/gi) ?? [])
        .filter((color) => !/^#(?:0+|f+)$/i.test(color) && !path.endsWith("look-file.server.ts"))
        .map((color) => `${path}: ${color}`),
    );
  expect(colored).toEqual([]);
});
