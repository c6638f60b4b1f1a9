import { strengthen } from "./colors.ts";

/** The colors of a city, by what they are for. The comments in brand.yaml explain each. */
export const colorNames = [
  "paper",
  "surface",
  "sunken",
  "ink",
  "inkSoft",
  "line",
  "fieldLine",
  "accent",
  "signal",
  "band",
  "onBand",
  "onBandSoft",
  "bandLine",
  "dateTile",
  "night",
  "horizon",
  "lamp",
  "highlight",
  "highlightBright",
  "onHighlight",
] as const;
export type ColorName = (typeof colorNames)[number];

/** A color on light pages and on dark pages, as #rrggbb. */
export type Shades = { light: string; dark: string };
export type Palette = Readonly<Record<ColorName, Shades>>;

const placeholder = /--city(-strong)?\((\w+)\)/g;

/**
 * Writes the colors of a city into a stylesheet. There, `--city(ink)` stands for a color, and
 * `--city-strong(ink)` for the same color with more contrast.
 */
export const paint = (css: string, palette: Palette): string =>
  css.replaceAll(placeholder, (_, isStrong: string | undefined, name: string) => {
    const color = colorNames.find((each) => each === name);
    if (!color) throw new Error(`A stylesheet asks for the unknown color ${name}.`);
    const { light, dark } = palette[color];
    return isStrong
      ? toCss({ light: strengthen(light, "light"), dark: strengthen(dark, "dark") })
      : toCss({ light, dark });
  });

const toCss = ({ light, dark }: Shades) =>
  light === dark ? shorten(light) : `light-dark(${shorten(light)},${shorten(dark)})`;

const shorten = (color: string) => color.replace(/^#(.)\1(.)\2(.)\3$/, "#$1$2$3");
