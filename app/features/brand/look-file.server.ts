import { z } from "zod";
import { contrast, ensureContrast, minContrast } from "../../lib/look/colors.ts";
import { fontPairs } from "../../lib/look/font-pairs.ts";
import { type ColorName, colorNames, type Palette } from "../../lib/look/palette.ts";
import { siteFile, type ValueOf } from "../../site-files/site-file.server.ts";

const colorMessage = 'must be a color such as "#17487a", in quotes';
const hexColor = /^#[0-9a-f]{6}$/i;
const color = z.string(colorMessage).regex(hexColor, colorMessage).toLowerCase();

const shades = z
  .union(
    [color, z.strictObject({ light: color, dark: color })],
    `${colorMessage}, or one for light and one for dark pages: { light: "#17487a", dark: "#93c6ef" }`,
  )
  .transform((written) =>
    typeof written === "string" ? { light: written, dark: written } : written,
  );

/** What is drawn in each color, and on which backgrounds readers must be able to see it. */
const contrasts: { kind: keyof typeof minContrast; front: ColorName; behind: ColorName[] }[] = [
  { kind: "text", front: "ink", behind: ["paper", "surface", "sunken"] },
  { kind: "text", front: "inkSoft", behind: ["paper", "surface", "sunken"] },
  { kind: "text", front: "accent", behind: ["paper", "surface", "sunken"] },
  { kind: "text", front: "signal", behind: ["paper", "surface", "sunken"] },
  { kind: "shape", front: "fieldLine", behind: ["paper", "surface"] },
  { kind: "text", front: "onBand", behind: ["band", "dateTile", "night"] },
  { kind: "text", front: "onBandSoft", behind: ["band", "night"] },
  { kind: "text", front: "highlight", behind: ["band", "night"] },
  { kind: "shape", front: "lamp", behind: ["band", "night"] },
  { kind: "text", front: "onHighlight", behind: ["highlight", "highlightBright"] },
];

const pages = ["light", "dark"] as const;

/** Finds the colors that readers could hardly see, and a color that they could. */
function listFaintColors(palette: Palette) {
  // For a color that is not valid, the schema reports an error of its own.
  const isValid = Object.values(palette).every(({ light, dark }) =>
    [light, dark].every((shade) => hexColor.test(shade)),
  );
  if (!isValid) return [];
  return contrasts.flatMap(({ kind, front, behind }) => {
    const { light, dark } = palette[front];
    const backgrounds = behind.flatMap((name) =>
      pages.map((page) => ({ name, page, color: palette[name][page] })),
    );
    // A color without a dark variant must be visible on both kinds of pages.
    const isSingle = light === dark;
    return (isSingle ? [undefined] : pages).flatMap((page) => {
      const min = minContrast[kind];
      const own = page === "dark" ? dark : light;
      const relevant = backgrounds.filter((each) => page === undefined || each.page === page);
      const [worst] = relevant
        .map((each) => ({ ...each, reached: contrast(own, each.color) }))
        .toSorted((one, other) => one.reached - other.reached);
      if (!worst || worst.reached >= min) return [];
      const colors = relevant.map(({ color }) => color);
      const better = ensureContrast(own, colors, min);
      const fix = better === null ? `change ${worst.name}` : `such as "${better}"`;
      const found = Math.floor(worst.reached * 10) / 10;
      const what = kind === "text" ? "text" : "a shape";
      const message = `has a contrast of ${found}:1 with ${worst.name} ("${worst.color}") on ${worst.page} pages, but ${what} needs ${min}:1: ${fix}`;
      return [{ path: page === undefined ? [front] : [front, page], message }];
    });
  });
}

const colorFields = z.strictObject(
  Object.fromEntries(colorNames.map((name) => [name, shades])) as Record<ColorName, typeof shades>,
);

/** The colors and fonts of the site, without its images, which site.yaml and other files name. */
export const lookFile = siteFile(
  "brand.yaml",
  z.strictObject({
    fonts: z.enum(fontPairs),
    colors: colorFields.superRefine((palette, context) => {
      for (const { path, message } of listFaintColors(palette))
        context.addIssue({ code: "custom", path, message });
    }),
  }),
);

export type Look = ValueOf<typeof lookFile>;
